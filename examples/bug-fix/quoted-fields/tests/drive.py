"""Call functions of the package named on the command line: [name, arguments] each, as JSON on stdin; answers on stdout.

Dates travel as {"date": "2025-01-31"}; an exception as {"raises": its name}. This process holds inputs only.
"""

import importlib
import json
import os
import sys
from datetime import date


def read(value):
    if isinstance(value, dict) and set(value) == {"date"}:
        return date.fromisoformat(value["date"])
    return [read(item) for item in value] if isinstance(value, list) else value


def write(value):
    if isinstance(value, date):
        return {"date": value.isoformat()}
    return [write(item) for item in value] if isinstance(value, (list, tuple)) else value


def answer(package, name, arguments):
    try:
        return write(getattr(package, name)(*read(arguments)))
    except Exception as error:
        return {"raises": type(error).__name__}


calls = json.load(sys.stdin)
sys.path.insert(0, os.getcwd())
package = importlib.import_module(sys.argv[1])
results = [answer(package, name, arguments) for name, arguments in calls]
print("\nANSWERS " + json.dumps(results))
