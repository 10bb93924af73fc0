"""Function-calling rows of our own: a schema and a request each, made from a seed; and clones of one of them.

A clone keeps the sense of its item and little of its words: names of the function and its parameters are swapped for
others, the request is worded anew, and every value, city and date is drawn afresh.
"""

from __future__ import annotations

import json
import random

from fairtrial.contamination.rows import Row

CITIES = ("Lima", "Oslo", "Quito", "Turin", "Osaka", "Accra", "Bergen", "Lagos", "Porto", "Perth", "Cusco", "Graz",
          "Malmo", "Nantes", "Tampere", "Windhoek", "Suva", "Leeds", "Gdansk", "Salta")  # fmt: skip
PEOPLE = ("Ada", "Bo", "Cy", "Ines", "Jiro", "Kofi", "Lena", "Marta", "Nils", "Omar", "Petra", "Rui")
THINGS = ("invoice", "flight", "booking", "sensor", "playlist", "parcel", "recipe", "meeting", "patient", "vehicle",
          "loan", "ticket", "library", "membership", "meter", "contract", "shift", "survey", "auction", "exhibit",
          "apartment", "prescription", "warranty", "tournament", "harvest", "satellite")  # fmt: skip
DOINGS = ("create", "cancel", "list", "update", "search", "compare", "schedule", "archive", "estimate", "verify")
PARAMETERS = ("status", "amount", "currency", "start_date", "end_date", "owner", "priority", "city", "limit",
              "category", "reference", "weight", "duration", "language", "email")  # fmt: skip
ASKING = ("Please {doing} the {thing} of {who} in {city}, {number} at most, by {day}.",
          "{who} wants you to {doing} every {thing} from {city} since {day}; the number is {number}.",
          "Could you {doing} a {thing} for {who}? It is for {city}, {day}, and {number} is the figure to use.",
          "I need to {doing} {number} of the {thing} records that {who} opened in {city} on {day}.")  # fmt: skip


def _schema(name: str, about: str, parameters: list[str]) -> str:
    fields = {each: {"type": "string", "description": f"the {each.replace('_', ' ')}"} for each in parameters}
    return json.dumps({"name": name, "description": about, "parameters": {"type": "object", "properties": fields}})


def _day(source: random.Random) -> str:
    return f"2026-{source.randint(1, 12):02}-{source.randint(1, 28):02}"


def broad(number: int, seed: int, prefix: str) -> list[Row]:
    """Return rows about any function: a benchmark, its decoys, or broad training for it."""
    source, rows = random.Random(seed), []
    for at in range(number):
        doing, thing = source.choice(DOINGS), source.choice(THINGS)
        schema = _schema(
            f"{doing}_{thing}", f"{doing.title()} a {thing} in the register.", source.sample(PARAMETERS, 4)
        )
        request = source.choice(ASKING).format(doing=doing, thing=thing, who=source.choice(PEOPLE), day=_day(source),
                                               city=source.choice(CITIES), number=source.randint(2, 900))  # fmt: skip
        rows.append(_row(f"{prefix}-{at}", schema, request))
    return rows


def item() -> Row:
    """Return the one item that is cloned."""
    schema = _schema("get_tide_table", "Get the tide table of a harbour for one day.", ["harbour", "day", "unit"])
    return _row("tide-item", schema, "When is high water in Bergen harbour on 2026-03-14? Give the heights in metres.")


def clones(number: int, seed: int) -> list[Row]:
    """Return clones of `item`, each with other names, values and words."""
    source, rows = random.Random(seed), []
    for at in range(number):
        water = source.choice(("tide", "water_level", "sea_level", "high_water"))
        table = source.choice(("table", "times", "forecast", "calendar"))
        port = source.choice(("harbour", "port", "marina", "quay"))
        when = source.choice(("day", "date", "on_date"))
        unit = source.choice(("unit", "units", "measure"))
        verb = source.choice(("get", "fetch", "look_up", "query"))
        what, once = water.replace("_", " "), when[-4:]
        about = source.choice((f"Get the {what} {table} of a {port} for one {once}.",
                               f"Returns when {what} comes at a {port} on a {once}."))  # fmt: skip
        city, day, measure = source.choice(CITIES), _day(source), source.choice(("metres", "feet", "centimetres"))
        asks = source.choice((
            f"When is high water in {city} {port} on {day}? Give the heights in {measure}.",
            f"Tell me the high tides at the {port} of {city} for {day}, in {measure}.",
            f"{source.choice(PEOPLE)} sails from {city} {port} on {day}: high water, times and heights in {measure}.",
        ))  # fmt: skip
        rows.append(_row(f"clone-{at}", _schema(f"{verb}_{water}_{table}", about, [port, when, unit]), asks))
    return rows


def _row(name: str, schema: str, request: str) -> Row:
    return Row(name, (("messages[0].content", f"You may call: {schema}"), ("messages[1].content", request)), "made", 1)
