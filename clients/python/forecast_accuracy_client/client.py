from __future__ import annotations

import json
from email.utils import parsedate_to_datetime
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional
from urllib.request import OpenerDirector

from .errors import ForecastAccuracyError
from .events import WatchedVersion, watch_versions
from .generated import ExportedPair, ExportPairsParameters, Operations
from .transport import Transport, lines_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

_EXPORT = "/api/v1/export/pairs"


class ForecastAccuracy(Operations):
    """A client of a service; threads may share it.

    Its methods try again on 408, 429, 5xx, broken connections and silence, as Retry-After says; and ask with the tag of
    the response that they know, so what has not changed is not sent again. They raise ForecastAccuracyError.

    url: where the service is, such as http://127.0.0.1:8080; may have a path.
    key: an API key, fas_<id>_<secret>.
    max_retries: tries after the first one, and so many for each break of an export.
    timeout: the longest silence of the service, seconds.
    memory: bytes of responses that are kept, to ask whether they still hold; 0 keeps none.
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

    def watch(self, after: Optional[str] = None) -> Iterator[WatchedVersion]:
        """The latest version of the data, then each new one with the loads between, until the loop is left.

        A stream that breaks or ends is opened again, after the pause for which the service asks, however often that
        takes. Raises ForecastAccuracyError where another try is of no use.

        after: the id of the last version that you have, such as v412.k7q2.
        """
        return watch_versions(self._transport, after)

    def _json(self, path: str, parameters: Mapping[str, Any]) -> Any:
        return self._transport.json(path, parameters)

    def _file(self, path: str, parameters: Mapping[str, Any]) -> HTTPResponse:
        return self._transport.open(path, parameters)


def _header(response: HTTPResponse, name: str) -> str:
    value = response.headers.get(name)
    if value is None:
        raise ForecastAccuracyError(f"The export: HTTP {response.status} without {name}", "NO_ANSWER")
    return value
