"""How much rooms are used."""


def minutes_taken(bookings):
    """Return for how many minutes of the day at least one booking holds the room."""
    total = 0
    last = None
    for start, end in sorted(bookings):
        if last is None or start > last:
            total += end - start
        else:
            total += end - last
        last = end
    return total


def share_taken(bookings, opens, closes):
    """Return which share of the opening hours is taken, in whole per cent, rounded down."""
    inside = [[max(start, opens), min(end, closes)] for start, end in bookings if end > opens and start < closes]
    return minutes_taken(inside) * 100 // (closes - opens)
