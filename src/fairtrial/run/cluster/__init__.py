"""Jobs on other machines: what a job takes along, how a worker does it, and how jobs are dealt out at least once."""
