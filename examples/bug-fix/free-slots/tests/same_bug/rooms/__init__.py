"""The same bug in other words: a test that looks at the source does not know it."""


def merge(bookings):
    out = []
    for booking in sorted(map(list, bookings)):
        if not out or booking[0] > out[-1][1]:
            out.append(booking)
            continue
        out[-1] = [out[-1][0], booking[1]]
    return out


def free(bookings, opens, closes, least=1):
    taken = [pair for pair in merge(bookings) if pair[1] > opens and pair[0] < closes]
    edges = [opens, *(minute for pair in taken for minute in pair), closes]
    return [[a, b] for a, b in zip(edges[::2], edges[1::2], strict=False) if b - a >= least]


def minutes_taken(bookings):
    ordered = sorted(map(list, bookings))
    before = [None, *(pair[1] for pair in ordered)]
    return sum(b - (a if end is None or a > end else end) for end, (a, b) in zip(before, ordered, strict=False))


def share_taken(bookings, opens, closes):
    clipped = [[max(a, opens), min(b, closes)] for a, b in bookings if b > opens and a < closes]
    return 100 * minutes_taken(clipped) // (closes - opens)
