"""A whole run: seeds in processes of their own, stages in order, then the evaluation that was fixed before."""
