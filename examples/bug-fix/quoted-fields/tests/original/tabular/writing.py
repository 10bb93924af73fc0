"""Put fields together as comma-separated text."""


def join_fields(fields, delimiter=","):
    """Return one line, without a line end; fields that need quotes get them."""
    return delimiter.join(_quoted(field) if _needs_quotes(field, delimiter) else field for field in fields)


def _needs_quotes(field, delimiter):
    return delimiter in field or "\n" in field


def _quoted(field):
    return '"' + field + '"'
