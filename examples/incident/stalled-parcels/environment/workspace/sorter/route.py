"""Decide where a parcel goes: a belt of its depot, the large hall, or the hold."""

import json
import sys

from sorter.settings import settings


def route(parcel):
    """Return the place for one parcel: {"id", "depot", "grams", "longest_mm", "express"}."""
    belts, limits = settings("belts"), settings("limits")
    depot = belts["depots"].get(parcel["depot"])
    if depot is None:
        return "hold:unknown-depot"
    if parcel["grams"] > limits["belt"]["most_grams"] * depot.get("grams_factor", 1):
        return "hold:too-heavy"
    if parcel["longest_mm"] > limits["belt"]["most_mm"]:
        return "large-hall"
    return f"belt-{depot['express_belt'] if parcel['express'] else depot['belt']}"


def main():
    """Read parcels as JSON lines and print the place of each."""
    for line in sys.stdin:
        print(route(json.loads(line)))


if __name__ == "__main__":
    main()
