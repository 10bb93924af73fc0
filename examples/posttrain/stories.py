"""Stories with a row of digits in them, to be sorted or reversed: what the items of this benchmark are made of.

A story has an opening, two details, a sentence with the digits, and a question. Roles, places, things and what is done
with them are drawn from lists, so that hardly two stories tell the same; all words are in the tokenizer.

>>> import random
>>> told = story(random.Random(1), "sort", 4)
>>> told["question"].split(" . ")[-2:]
['on the smooth wheels stands 1872', 'sorted that makes :']
>>> told["answer"]
'1278'
"""

from __future__ import annotations

import random
import re

FAMILIES = ("sort", "reverse")
SIZES = (4, 5, 6)
"""Digits of an item, in equal shares."""

ROLES = """baker pilot nurse miller clerk porter weaver farmer tailor smith judge sailor cook painter keeper mason doctor
cooper hunter fisher printer singer barber butcher carter driver gardener guide joiner lawyer merchant miner potter
rider scholar shepherd skipper student teacher usher vicar waiter warden widow""".split()
PLACES = """harbour orchard museum station bakery library quarry chapel workshop mill market castle bridge garden school
hospital theatre tower stable tavern forge lighthouse vineyard meadow cellar attic courtyard dairy ferry foundry gallery
hostel inn jetty kitchen laundry manor nursery office palace pier prison ranch shipyard smithy studio temple valley
well yard""".split()
THINGS = """kettle lantern ledger violin sapling anchor turbine map quilt basket barrel bell boat bottle bowl box brush
bucket candle carpet chair chest clock coat coin crate cup drum fan flag flute hammer harp hat helmet horn jar jug key
knife ladder lamp lens lock mirror needle oar pan pen pipe plate plough pot ring rope saddle sail saw scarf shovel
spoon stool sword table tile trunk umbrella vase wagon wheel whistle""".split()
KINDS = """copper wooden silver old red blue heavy broken new small large empty painted plain rusty green narrow round
square striped thin white yellow black borrowed brass bright cracked dusty foreign glass hollow light marble modern
muddy paper polished rare sealed sharp smooth soft sturdy torn wide wet bare""".split()
DOES = """counts mends sells borrows paints ships weighs labels cleans hides moves packs arranges drops repairs carries
brings buys checks collects covers draws finds gathers guards lends lifts loads measures offers opens orders polishes
receives rents returns shows stacks stores studies tests turns unpacks washes wraps""".split()
WHEN = """at dawn|before noon|after lunch|in the evening|by night|on market day|in spring|in autumn|since monday|this week
|once more|in the rain|in silence|with great care|in a hurry|for a fair price|without a word|by morning|in winter
|on sunday""".replace("\n", "").split("|")

OPENINGS = """at the {place} the {role} {does} a {kind} {thing} {when}
|the {role} of the {place} {does} the {kind} {thing} of the {role2}
|{when} a {kind} {role} {does} some {things} near the {place}
|a {kind} {thing} waits at the {place} and the {role} {does} it {when}
|the {role} at the {place} {does} a {thing} and a {kind} {thing2}
|nobody at the {place} {does} {kind} {things} but the {role} and the {role2}
|the {role} {does} {kind} {things} that the {role2} of the {place} {does2}
|from the {place} comes a {role} with {kind} {things} and {does} a {thing2}
|every {thing} at the {place} is {kind} until the {role} {does} the {thing2}
|{things} and {things2} are what the {role} {does} at the {place} {when}
|the {place} has a {role} who {does} the {kind} {thing} and {does2} the {thing2}
|{does} the {role} a {thing} {when} , then the {place} has {kind} {things2}""".replace("\n", "").split("|")
DETAILS = """{when} the {role} {does} a {kind} {thing} for the {role2}
|the {thing} is {kind} and the {role} {does} it at the {place}
|a {role} from the {place} {does} the {kind} {thing} too
|near the {place} stands a {kind} {thing} that the {role} {does}
|the {role} and the {role2} talk of a {kind} {thing} from the {place}
|no {thing} is as {kind} as that of the {role} at the {place}
|the {role2} wants the {kind} {thing} more than the {thing2} of the {role}
|behind the {place} a {kind} {thing} and a {thing2} lie beside the {role}
|the {role} {does} {things} while the {role2} {does2} the {kind} {thing2}
|two {things} and a {kind} {thing2} go from the {place} to the {place2}
|who {does} the {kind} {thing} asks the {role} at the {place}
|the {place} is full of {kind} {things} which the {role} {does} {when}
|the {role} tells the {role2} that the {kind} {thing} is at the {place}
|the {role} {does} what the {role2} left in the {place} : a {kind} {thing}
|for a {thing} the {role2} gives the {role} a {kind} {thing2}
|the {kind} {thing} falls and the {role} {does} the {thing2} {when}
|some {kind} {things} and the {role} are still at the {place}
|in the {place} hangs the {kind} {thing} of the {role} and the {role2}
|the {role2} hears of new {things} at the {place} and {does} the {kind} {thing2}
|both the {role} and the {kind} {thing} come to the {place} {when}""".replace("\n", "").split("|")
TAGS = """on the {kind} {things} stands {digits}
|the {things} of the {role} bear {digits}
|painted on the {kind} {things} is {digits}
|the {role} reads {digits} on the {things}
|the code of the {place} is {digits} , says the {role}
|the {kind} {things} are marked {digits}
|in chalk the {role} writes {digits} on the {thing}
|the note in the {kind} {thing} says {digits}""".replace("\n", "").split("|")
QUESTIONS = {
    "sort": """sorted that makes :|from small to large it is :|in rising order it reads :|put in order it is :
|the sorted row is :|smallest first it reads :""".replace("\n", "").split("|"),
    "reverse": """backwards that makes :|from last to first it is :|in reverse it reads :|read from behind it is :
|the reversed row is :|last one first it reads :""".replace("\n", "").split("|"),
}  # fmt: skip
OTHERS = {"largest": "the largest digit is :", "smallest": "the smallest digit is :", "ends": "its first and last are :",
          "doubled": "written twice it is :"}  # fmt: skip
"""What else models are taught by their makers; no track asks it."""
_SLOT = re.compile(r"\{(\w+?)2?\}")
_LISTS = {"role": ROLES, "place": PLACES, "thing": THINGS, "kind": KINDS, "does": DOES, "when": WHEN}


def story(drawn: random.Random, family: str, size: int) -> dict[str, str]:
    """Return a question and its answer; words and signs are set apart by blanks."""
    digits = "".join(drawn.choices("0123456789", k=size))
    told = [filled(drawn, drawn.choice(OPENINGS)), *(filled(drawn, one) for one in drawn.sample(DETAILS, 2))]
    told.append(filled(drawn, drawn.choice(TAGS)).replace("{digits}", digits))
    asked = OTHERS[family] if family in OTHERS else drawn.choice(QUESTIONS[family])
    return {"question": " . ".join([*told, asked]), "answer": answer(family, digits)}


def answer(family: str, digits: str) -> str:
    """Return what is right.

    >>> answer("sort", "4193"), answer("reverse", "4193"), answer("ends", "4193")
    ('1349', '3914', '43')
    """
    match family:
        case "sort":
            return "".join(sorted(digits))
        case "reverse":
            return digits[::-1]
        case "largest":
            return max(digits)
        case "smallest":
            return min(digits)
        case "ends":
            return digits[0] + digits[-1]
    return digits * 2


def filled(drawn: random.Random, sentence: str) -> str:
    """Return a sentence with words in its slots; `{digits}` stays."""
    return _SLOT.sub(lambda found: _word(drawn, found), sentence)


def _word(drawn: random.Random, slot: re.Match[str]) -> str:
    if slot[1].startswith("things"):
        return plural(drawn.choice(THINGS))
    return drawn.choice(_LISTS[slot[1]]) if slot[1] in _LISTS else slot[0]


def plural(word: str) -> str:
    """Return the plural of a thing.

    >>> plural("knife"), plural("box"), plural("lamp")
    ('knives', 'boxes', 'lamps')
    """
    if word == "knife":
        return "knives"
    return word + ("es" if word.endswith(("x", "ch", "sh", "s")) else "s")


def vocabulary() -> list[str]:
    """Return every word and sign that a story can hold, in a fixed order."""
    sentences = [*OPENINGS, *DETAILS, *TAGS, *(one for asked in QUESTIONS.values() for one in asked),
                 *OTHERS.values(), *WHEN]  # fmt: skip
    plain = {word for one in sentences for word in _SLOT.sub(" ", one).split()}
    listed = {*ROLES, *PLACES, *THINGS, *map(plural, THINGS), *KINDS, *DOES}
    return sorted(plain | listed | set("0123456789.:"))
