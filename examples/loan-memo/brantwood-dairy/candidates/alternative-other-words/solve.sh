#!/bin/bash
# Right, in another order, with other forms of numbers and a long way round in prose.
cat > /app/memo.md <<'MD'
## Credit memorandum

**Request.** A £1.1m loan, of which £240k clears the overdraft and £860k buys a filling line.

At first sight leverage is 3.12; that rests on the finance director's EBITDA of £1,299,000, which holds a gain that will not come back
and a rent below the market.

|   Figure         |        Value                            |
|:-----------------|----------------------------------------:|
| Recommendation   | **Decline**                             |
| covenants        | Breached                                |
| Leverage         | 3.42x                                   |
| DSCR             | 1.28 times                              |
| Headroom         | (£202,000)                              |
| Net debt         | £4.05m                                  |
| Adjusted EBITDA  | £1,184,000                              |
| Adjustments      | £74k; (£54,000); −135,000               |
MD
