"""Take comma-separated text apart."""


def split_line(line, delimiter=","):
    """Return the fields of one line. A field in double quotes may hold the delimiter; in it, "" stands for one quote."""
    fields = []
    field = ""
    quoted = False
    for character in line:
        if character == '"':
            quoted = not quoted
        elif character == delimiter and not quoted:
            fields.append(field)
            field = ""
        else:
            field += character
    return [*fields, field]


def read_rows(text, delimiter=","):
    """Return one list of fields a record; empty lines are passed over. A quoted field may hold line ends."""
    return [split_line(line, delimiter) for line in text.splitlines() if line]
