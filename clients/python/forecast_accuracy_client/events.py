from __future__ import annotations

import json
import re
import time
from codecs import BOM_UTF8
from http.client import HTTPResponse
from typing import Dict, Iterator, List, NamedTuple, Optional, cast

from .errors import ForecastAccuracyError
from .generated import Load, LoadsResponse, VersionEvent
from .transport import Transport, lines_of

_EVENTS = "/api/v1/events"
_LOADS = "/api/v1/loads"

# Loads of one page.
_PAGE = 500

# The pause before a stream is opened again, seconds: the first one, and the longest.
_DEFAULT_RETRY = 1.0
_MAX_RETRY = 60.0


class WatchedVersion(VersionEvent):
    """A version of the data that has come.

    loads: those that finished after the version before, up to this one, in their order: none with the first version,
        unless `after` was given. None where they cannot be known, as after a restored backup: then read again what you
        keep.
    """

    loads: Optional[List[Load]]


class _Block(NamedTuple):
    """A block of a stream, as the standard of server-sent events reads it."""

    id: str  # the last one so far
    event: str
    data: Optional[str]  # None in a block that is no event


class _Stream:
    """A stream that breaks or ends is opened again behind its last id, after the pause for which it asks."""

    def __init__(self, last_id: str) -> None:
        self.last_id = last_id
        self.retry = _DEFAULT_RETRY

    def blocks_of(self, response: HTTPResponse) -> Iterator[_Block]:
        """The blocks of a body (WHATWG, HTML, 9.2.6)."""
        if response.headers.get_content_type() != "text/event-stream":
            status = response.status
            raise ForecastAccuracyError(f"HTTP {status} is no stream of events", "NO_ANSWER", status=status)
        last_id, event, data = self.last_id, "", cast(List[str], [])
        is_first = True
        for raw in lines_of(response):
            line = (raw[len(BOM_UTF8) :] if is_first and raw.startswith(BOM_UTF8) else raw).decode("utf-8", "replace")
            is_first = False
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "event":
                event = value
            elif name == "data":
                data.append(value)
            elif name == "id" and "\0" not in value:
                last_id = value
            elif name == "retry" and re.fullmatch("[0-9]+", value):
                self.retry = min(int(value[:9]) / 1000, _MAX_RETRY)
            elif line == "":
                yield _Block(last_id, event, "\n".join(data) if data else None)
                event, data = "", []


def watch_versions(transport: Transport, after: Optional[str]) -> Iterator[WatchedVersion]:
    """Versions of the data as they come; `after`: the id of the last version that the caller has."""
    stream = _Stream(after or "")
    known = after
    while True:
        pause = 0.0
        headers: Dict[str, str] = {"Last-Event-ID": stream.last_id} if stream.last_id else {}
        try:
            with transport.open(_EVENTS, {}, headers=headers) as response:
                for block in stream.blocks_of(response):
                    if block.event == "version" and block.data is not None:
                        event = {"id": block.id, "event": block.event, "data": json.loads(block.data)}
                        version = cast(VersionEvent, event)
                        loads = [] if known is None else _loads_after(transport, known, version)
                        known = stream.last_id = block.id
                        yield {**version, "loads": loads}
                    else:
                        stream.last_id = block.id
        except ForecastAccuracyError as error:
            if not error.is_transient:
                raise
            pause = error.retry_after or 0.0
        time.sleep(max(stream.retry, pause))


def _loads_after(transport: Transport, after: str, version: VersionEvent) -> Optional[List[Load]]:
    """The loads up to a version; None where the service cannot tell them."""
    loads: List[Load] = []
    before: Optional[int] = None
    try:
        while True:
            page = {"after": after, "limit": _PAGE, "before": before}
            response = cast(LoadsResponse, transport.json(_LOADS, page))
            loads += response["data"]
            before = response["metadata"]["next_before"]
            if before is None:
                break
    except ForecastAccuracyError as error:
        if error.is_transient:
            raise
        return None
    latest = version["data"]["data_version"]
    finished = [load for load in loads if load["version"] <= latest and load["outcome"] not in ("failed", "unfinished")]
    return finished[::-1]
