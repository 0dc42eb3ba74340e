from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Optional, cast
from urllib.request import OpenerDirector

from .errors import ForecastAccuracyError
from .generated import EventsParameters, ExportedPair, ExportPairsParameters, Operations, ServerEvent
from .transport import Transport, lines_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

_EXPORT = "/api/v1/export/pairs"
_EVENTS = "/api/v1/events"


class ForecastAccuracy(Operations):
    """A client of a service; threads may share it.

    Its methods try again on 408, 429, 5xx, broken connections and silence, as Retry-After says; and ask with the tag of
    the answer that they know, so what has not changed is not sent again. They raise ForecastAccuracyError.

    url: where the service is, such as http://127.0.0.1:8080; may have a path.
    key: an API key, fas_<id>_<secret>.
    max_retries: tries after the first one, and so many for each break of an export.
    timeout: the longest silence of the service, seconds.
    memory: bytes of answers that are kept, to ask whether they still hold; 0 keeps none.
    opener: what sends requests, for proxies or certificates; one that follows redirects sends the key along.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        max_retries: int = 2,
        timeout: float = 30.0,
        memory: int = 8_000_000,
        opener: Optional[OpenerDirector] = None,
    ) -> None:
        self._transport = Transport(url, key, max_retries, timeout, memory, opener)

    def pairs(self, **parameters: Unpack[ExportPairsParameters]) -> Iterator[ExportedPair]:
        """Every pair of a window, of one version of the data, read as the loop goes.

        A connection that breaks is opened again behind the last whole row, so each row comes once.
        """
        asked: Mapping[str, Any] = {**parameters, "format": "ndjson"}
        is_fixed = any(asked.get(name) is not None for name in ("date_from", "date_to", "as_of"))
        total = None
        breaks = 0
        while True:
            with self._transport.open(_EXPORT, asked, packed=True) as response:
                version, _, before = _header(response, "X-Export-Cursor").partition(".")
                expected = int(_header(response, "X-Total-Pairs"))
                total = expected if total is None else total
                if expected != total:
                    raise ForecastAccuracyError(f"The export had {total} pairs, and now has {expected}", "NO_ANSWER")
                read = int(before)
                try:
                    for line in lines_of(response):
                        yield json.loads(line)
                        read += 1
                        breaks = 0
                    if read >= total:
                        return
                    # Over HTTP/1.0 a break looks like an end.
                    raise ForecastAccuracyError(f"The export ended after {read} of {total} pairs", "NO_CONNECTION")
                except ForecastAccuracyError as error:
                    broken = error
            self._transport.pause(broken, breaks)
            asked = {**asked, "cursor": f"{version}.{read}"}
            # A window that ends today would be another one behind midnight.
            began = response.headers.get("Date")
            if not is_fixed and began is not None:
                asked = {"date_to": parsedate_to_datetime(began).date().isoformat(), **asked}
            breaks += 1

    def watch(self, **parameters: Unpack[EventsParameters]) -> Iterator[ServerEvent]:
        """Events as they happen, each once, until the loop is left.

        A stream that breaks or ends is opened again behind the last event, after the pause for which the service asks,
        however often that takes. Raises ForecastAccuracyError where another try is of no use.
        """
        place: Dict[str, str] = {}
        retry = 0.0
        while True:
            pause = 0.0
            try:
                with self._transport.open(_EVENTS, parameters, headers=place) as response:
                    fields: Dict[str, str] = {}
                    for line in lines_of(response):
                        name, _, value = line.decode().partition(": ")
                        fields[name] = value
                        if line:
                            continue
                        block, fields = fields, {}
                        if "retry" in block:
                            retry = int(block["retry"]) / 1000
                        if "id" in block:
                            place = {"Last-Event-ID": block["id"]}
                        if "data" in block:
                            yield cast(ServerEvent, {**_named(block), "data": json.loads(block["data"])})
            except ForecastAccuracyError as error:
                if not error.is_transient:
                    raise
                pause = error.retry_after or 0.0
            time.sleep(max(retry, pause))

    def _json(self, path: str, parameters: Mapping[str, Any]) -> Any:
        return self._transport.json(path, parameters)

    def _file(self, path: str, parameters: Mapping[str, Any]) -> HTTPResponse:
        return self._transport.open(path, parameters)


def _named(block: Mapping[str, str]) -> Dict[str, Any]:
    return {"id": block.get("id"), "event": block.get("event")}


def _header(response: HTTPResponse, name: str) -> str:
    value = response.headers.get(name)
    if value is None:
        raise ForecastAccuracyError(f"The export: HTTP {response.status} without {name}", "NO_ANSWER")
    return value
