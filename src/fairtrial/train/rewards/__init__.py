"""What a completion is worth in training: the task's grader, criteria, a reward model, or a degenerate control."""
