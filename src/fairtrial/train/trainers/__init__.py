"""Train and sample models with TRL; the only place where torch is imported."""
