"""From event records to Harbor tasks: what the expert saw, what they chose, what came of it, and who says so.

`schema` reads RECORDS.toml; `sources`, `times` and `events` read the records; `decisions`, `outcomes` and `grading`
rebuild each decision; `sides` splits entities whole; `emitting` writes task folders; `leaks` looks for the future in
what they show; `power` and `figures` say what they can teach; `making` does all of it in order.
"""
