"""Taken and free stretches of a day."""


def merge(bookings):
    """Return the stretches [start, end] in which at least one booking holds the room, in order; touching ones are one."""
    merged = []
    for start, end in sorted(bookings):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = end
        else:
            merged.append([start, end])
    return merged


def free(bookings, opens, closes, least=1):
    """Return the stretches [start, end] between `opens` and `closes` that are free for at least `least` minutes."""
    slots = []
    at = opens
    for start, end in merge(bookings):
        if end <= opens or start >= closes:
            continue
        if start - at >= least:
            slots.append([at, start])
        at = end
    if closes - at >= least:
        slots.append([at, closes])
    return slots
