"""`fairtrial serve LEDGER`: the pages of a ledger, alive, for its owner and its reviewers, until Ctrl-C."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.output import JsonFlag, note, print_document, stdout
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_samples
from fairtrial.records import InputError
from fairtrial.serve import Reader, Site, readers_named
from fairtrial.serve.listening import address_of, bound, heed_interrupt, hosts_of, is_loopback, serve
from fairtrial.serve.tokens import NAME, with_kept_tokens

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
SCHEMA = "fairtrial.serve/1"


@app.command(name="serve")
def serve_(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    port: Annotated[int, typer.Option(help="Port; 0 takes one that is free.", min=0, max=65_535)] = 8321,
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but loopback opens it to a network.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(help="Name, or NAME:PORT of a tunnel, under which browsers reach it; may be repeated."),
    ] = None,
    reviewer: Annotated[list[str] | None, typer.Option(help="Who reviews blind; may be repeated.")] = None,
    adjudicator: Annotated[list[str] | None, typer.Option(help="Who settles disputes; may be repeated.")] = None,
    owner: Annotated[str, typer.Option(help="Who sees everything.")] = "owner",
    sample: Annotated[str, typer.Option(help="Sample under review, by id or name; without it, the last one.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Serve the pages of LEDGER and print one link a reader; each link carries that reader's token."""
    held = Ledger.open(ledger)
    if host in ("0.0.0.0", "::", "") and not name:
        raise InputError(f"`{host}` is every address of this machine, and no name for a link", field="--host",
                         hint="Add --name, as browsers will ask for it: --name lab.example.")  # fmt: skip
    readers, why_not = with_kept_tokens(held.path, readers_named(owner, reviewer or (), adjudicator or ()))
    chosen = _sample(held, sample)
    with bound(host, port) as listening:
        hosts = hosts_of(host, listening.getsockname()[1], name or ())
        site = Site(ledger=held, readers=readers, hosts=frozenset(hosts), sample=chosen)
        try:
            heed_interrupt()
            _tell(site, address_of(hosts[0]), host, why_not, as_json=as_json)
            serve(site, listening)
        except KeyboardInterrupt:
            note("stopped; the same command makes the same links work again" if port and not why_not else "stopped")


def _sample(held: Ledger, wanted: str) -> str:
    """Return the id of the sample that is meant. Raise InputError where there is none, or several."""
    if not wanted:
        return ""
    samples = all_samples(held)
    found = [one for one in samples if wanted in (one.id, one.name)] or [
        one for one in samples if len(wanted) >= 6 and one.id.startswith(wanted)
    ]
    if len({one.id for one in found}) != 1:
        names = ", ".join(f"{one.name} ({one.id[:12]})" if one.name else one.id[:12] for one in samples)
        what = "several samples are" if found else "no sample is"
        raise InputError(f"{what} called `{wanted}`", path=held.path, field="--sample",
                         hint=f"It holds: {names or 'none; `fairtrial audit sample` draws one'}.")  # fmt: skip
    return found[0].id


def _tell(site: Site, address: str, host: str, why_not: str, *, as_json: bool) -> None:
    links = [(reader, f"{address}/enter?token={reader.token}") for reader in site.readers]
    if as_json:
        print_document({
            "schema": SCHEMA, "ledger": str(site.ledger.path), "address": address, "loopback": is_loopback(host),
            "sample": site.sample, "links": [{"name": reader.name, "role": reader.role, "link": link}
                                             for reader, link in links],
        })  # fmt: skip
    else:
        stdout.print(f"{site.ledger.path} is served at {address}", markup=False, soft_wrap=True)
        width = max(len(_who(reader)) for reader, _ in links)
        for reader, link in links:
            stdout.print(f"  {_who(reader):<{width}}  {link}", markup=False, soft_wrap=True)
    if not is_loopback(host):
        note("This is plain HTTP on a network: whoever can read its traffic can read pages and tokens. "
             "Put it behind an encrypted tunnel or proxy, or leave --host out.")  # fmt: skip
    note(why_not or f"A link is a key: give each to its reader alone. They are kept in {site.ledger.path / NAME} and "
         "stay the same when this is started again. Ctrl-C stops.")  # fmt: skip


def _who(reader: Reader) -> str:
    return reader.name if reader.role == reader.name else f"{reader.name}, {reader.role}"
