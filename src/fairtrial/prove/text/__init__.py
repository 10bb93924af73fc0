"""Text graders: reward functions, scorers and rubrics, proven on completions whose right verdict is known."""
