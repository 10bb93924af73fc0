"""Did the test set leak into training: word for word, reworded, or as the pattern of what was written around it?"""
