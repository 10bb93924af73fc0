"""Audits in the forms that other people's viewers open: Scout, Inspect, Docent. Records in, files out; nothing back."""

from collections.abc import Mapping

from fairtrial.formats.viewers.docent import DocentViewer
from fairtrial.formats.viewers.inspect import InspectViewer
from fairtrial.formats.viewers.scout import ScoutViewer
from fairtrial.formats.viewers.shown import Shown, Told, Viewer, WrittenFile

VIEWERS: Mapping[str, Viewer] = {one.name: one for one in (ScoutViewer(), InspectViewer(), DocentViewer())}

__all__ = ["VIEWERS", "Shown", "Told", "Viewer", "WrittenFile"]
