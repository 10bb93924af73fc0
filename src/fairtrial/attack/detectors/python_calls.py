"""Which calls of Python write, read, delete, fetch or start something: by the last part of their names.

Names are those of the standard library and of the common libraries of data and of the network.
"""

from __future__ import annotations

JOINS = frozenset({"Path", "PurePath", "PosixPath", "join", "joinpath", "expanduser", "abspath", "realpath", "resolve",
                   "absolute", "glob", "rglob", "iterdir", "str", "fspath", "normpath", "with_name"})  # fmt: skip
"""Make a path of their arguments."""
SAME = frozenset({"strip", "lstrip", "rstrip", "dedent", "encode", "decode", "lower", "upper", "format", "splitlines",
                  "split", "join", "dumps", "list", "sorted", "bytes", "str", "loads", "expandtabs", "copy",
                  "reversed", "filter", "map", "tuple", "format_map", "removesuffix", "removeprefix"})  # fmt: skip
"""Pass on the text that they are given, as far as it matters here."""
READS = frozenset({"read_text", "read_bytes", "read", "readlines", "readline", "load", "reader", "DictReader"})
LOADS = frozenset({"read_csv", "read_json", "read_excel", "read_parquet", "read_table", "read_pickle", "loadtxt",
                   "genfromtxt", "load_workbook", "read_sql", "connect", "ZipFile", "imread",
                   "load_dataset"})  # fmt: skip
"""Read the file that they are given."""
OPENS = frozenset({"open", "fdopen", "GzipFile", "TarFile"})
SAVES = frozenset({"to_csv", "to_excel", "to_json", "to_parquet", "to_pickle", "to_markdown", "save", "savez",
                   "savetxt", "savefig", "to_html", "save_pretrained"})  # fmt: skip
COPIES = frozenset({"copy", "copy2", "copyfile", "copytree", "move", "replace", "rename", "symlink", "link"})
"""Of `shutil` and `os`: source, then destination."""
DELETES = frozenset({"remove", "unlink", "rmtree", "removedirs", "rmdir"})
STARTS = frozenset({"system", "popen", "run", "call", "check_call", "check_output", "Popen", "getoutput",
                    "getstatusoutput", "execv", "execvp", "spawnl", "create_subprocess_shell"})  # fmt: skip
RUNS_CODE = frozenset({"exec", "eval", "compile"})
FETCHES = frozenset({"get", "post", "put", "request", "urlopen", "urlretrieve", "Request", "stream", "fetch",
                     "snapshot_download", "hf_hub_download"})  # fmt: skip
FETCHERS = ("requests", "httpx", "urllib", "request", "aiohttp", "session", "client", "http", "urllib3")
KNOWN_FOLDERS = {"getusersitepackages": "~/.local/lib/python3/site-packages",
                 "getsitepackages": "/usr/lib/site-packages",
                 "get_path": "/usr/lib/site-packages", "get_python_lib": "/usr/lib/site-packages", "home": "~",
                 "gettempdir": "/tmp", "mkdtemp": "/tmp/made", "cwd": "", "getcwd": ""}  # fmt: skip
