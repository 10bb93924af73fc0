"""Does the future show in what tasks show? Tests of the emitted folders, not of what made them.

`lines`: every line of a history is a record from before the decision. `traces`: ids and times of later records.
`values`: fields that hold what was recorded later. `predicting`: fields that tell right action or choice too well.
`finding` is what each returns, `shown` reads what an agent is given.
"""
