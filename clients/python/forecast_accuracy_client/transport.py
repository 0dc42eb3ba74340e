from __future__ import annotations

import gzip
import http.client
import json
import random
import re
import socket
import threading
import time
import zlib
from collections import OrderedDict
from typing import Any, Callable, IO, Iterator, Mapping, Optional, Tuple, TypeVar, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from .errors import ForecastAccuracyError, error_of

Result = TypeVar("Result")

# A longer Retry-After is no pause but a refusal: the error tells it.
MAX_WAIT_SECONDS = 60.0

_PACKED = {"Accept-Encoding": "gzip"}

_LINE_END = re.compile(rb"\r\n|\n|\r")


def _text(value: Any) -> str:
    """A parameter as the service reads it: true and false in small letters, the members of a list with commas between them."""
    if isinstance(value, (list, tuple)):
        return ",".join(_text(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


class _NoRedirects(HTTPRedirectHandler):
    """urllib would send the key on to wherever a response points."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Sends requests: again where that may help, and with the tag of the response that is known."""

    def __init__(
        self, url: str, key: str, max_retries: int, timeout: float, memory: int, opener: Optional[OpenerDirector]
    ) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._max_retries = max_retries
        self._timeout = timeout
        self._memory = memory
        self._opener = opener or build_opener(_NoRedirects)
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Tuple[str, bytes]] = OrderedDict()
        self._known_bytes = 0

    def json(self, path: str, parameters: Mapping[str, Any]) -> Any:
        """The JSON of a response."""
        url = self._address(path, parameters)

        def ask() -> Any:
            with self._lock:
                known = self._known.get(url)
            tagged = {} if known is None else {"If-None-Match": known[0]}
            with self._send(url, {"Accept": "application/json", **_PACKED, **tagged}) as response:
                if response.status == 304 and known is not None:
                    body = known[1]
                else:
                    body = reading(lambda: unpacked(response).read())
                tag = response.headers.get("ETag")
                status, response_headers = response.status, response.headers
            try:
                content = json.loads(body)
            except ValueError:
                raise error_of(status, response_headers, body) from None
            if tag is not None:
                self._keep(url, tag, body)
            return content

        return self._tried(ask)

    def open(
        self, path: str, parameters: Mapping[str, Any], packed: bool = False, headers: Mapping[str, str] = {}
    ) -> http.client.HTTPResponse:
        """A response whose body nobody has read yet; `packed`: with gzip, if the service likes."""
        url = self._address(path, parameters)
        return self._tried(lambda: self._send(url, {**(_PACKED if packed else {}), **headers}))

    def pause(self, error: ForecastAccuracyError, attempt: int) -> None:
        """Waits before the next try; raises the error when there is no use in one."""
        asked = error.retry_after or 0.0
        if not error.is_transient or attempt >= self._max_retries or asked > MAX_WAIT_SECONDS:
            raise error
        # Full jitter: clients that were refused together do not come back together.
        time.sleep(asked + random.random() * min(8.0, 0.5 * 2**attempt))

    def _tried(self, ask: Callable[[], Result]) -> Result:
        attempt = 0
        while True:
            try:
                return ask()
            except ForecastAccuracyError as error:
                self.pause(error, attempt)
            attempt += 1

    def _send(self, url: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        request = Request(url, headers={"Authorization": f"Bearer {self._key}", **headers})

        def send() -> http.client.HTTPResponse:
            try:
                return cast(http.client.HTTPResponse, self._opener.open(request, timeout=self._timeout))
            except HTTPError as refusal:
                if refusal.code == 304:
                    return cast(http.client.HTTPResponse, refusal)
                with refusal:
                    raise error_of(refusal.code, refusal.headers, unpacked(refusal).read()) from None

        return reading(send)

    def _address(self, path: str, parameters: Mapping[str, Any]) -> str:
        query = {}
        for name, value in parameters.items():
            if value is None:
                continue
            text = _text(value)
            if f"{{{name}}}" in path:
                path = path.replace(f"{{{name}}}", quote(text, safe=""))
            else:
                query[name] = text
        return f"{self._url}{path}{'?' if query else ''}{urlencode(query)}"

    def _keep(self, url: str, tag: str, body: bytes) -> None:
        """The responses that were requested last stay."""
        with self._lock:
            _, known = self._known.pop(url, ("", b""))
            self._known_bytes -= len(known)
            if len(body) > self._memory:
                return
            self._known[url] = (tag, body)
            self._known_bytes += len(body)
            while self._known_bytes > self._memory:
                _, (_, oldest) = self._known.popitem(last=False)
                self._known_bytes -= len(oldest)


def lines_of(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The whole lines of a body, which end in LF, CR LF or CR, as they come: what came before a break is not lost."""
    is_packed = response.headers.get("Content-Encoding") == "gzip"
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress if is_packed else bytes
    rest = b""
    ends_in_cr = False
    while data := reading(lambda: response.read1(65_536)):
        text = reading(lambda: inflate(data))
        if not text:
            continue
        # The second half of a CR LF whose line has been given.
        if ends_in_cr and text.startswith(b"\n"):
            text = text[1:]
        ends_in_cr = text.endswith(b"\r")
        *lines, rest = _LINE_END.split(rest + text)
        yield from lines


def unpacked(response: Any) -> IO[bytes]:
    """The body, without the gzip in which it may have come."""
    if response.headers.get("Content-Encoding") == "gzip":
        return cast(IO[bytes], gzip.GzipFile(fileobj=response))
    return cast(IO[bytes], response)


def reading(read: Callable[[], Result]) -> Result:
    """What is read from a connection; its errors are those of this client."""
    try:
        return read()
    except (OSError, EOFError, zlib.error, http.client.HTTPException) as cause:
        reason = cause.reason if isinstance(cause, URLError) else cause
        if isinstance(reason, socket.timeout):
            raise ForecastAccuracyError("The service said nothing for too long", "TIMEOUT") from cause
        raise ForecastAccuracyError(f"No connection: {reason!r}", "NO_CONNECTION") from cause
