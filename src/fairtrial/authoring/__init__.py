"""Tasks that are made: of records of work (`records`), by a generator and then checked (`synthetic`), and by a family
with a difficulty that is tuned to a model (`calibrate`)."""
