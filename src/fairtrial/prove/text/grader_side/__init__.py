"""What runs beside a grader, in its own interpreter: loads it, calls it, and says what it returned.

Runs on the standard library alone, from Python 3.9 on, in environments that have no fairtrial. It is started as
`python -c` by `prove.text.launching`; nothing of it is imported by fairtrial itself.
"""
