"""Right code of another design: it counts how many bookings hold the room, edge by edge."""


def merge(bookings):
    edges = sorted([(start, -1) for start, _ in bookings] + [(end, 1) for _, end in bookings])
    merged, depth, began = [], 0, 0
    for minute, change in edges:
        if depth == 0:
            began = minute
        depth -= change
        if depth == 0:
            merged.append([began, minute])
    return merged


def free(bookings, opens, closes, least=1):
    slots, at = [], opens
    for start, end in [*merge(bookings), [closes, closes]]:
        if (opens < end and start < closes) or start == closes:
            if start - at >= least:
                slots.append([at, start])
            at = max(at, end)
    return slots


def minutes_taken(bookings):
    return sum(end - start for start, end in merge(bookings))


def share_taken(bookings, opens, closes):
    inside = [[max(start, opens), min(end, closes)] for start, end in bookings if end > opens and start < closes]
    return minutes_taken(inside) * 100 // (closes - opens)
