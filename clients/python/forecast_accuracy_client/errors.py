from __future__ import annotations

import json
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import List, Mapping, Optional


class ForecastAccuracyError(Exception):
    """A request that failed, after the last try. Branch on `code`, never on the message.

    code: the error code of the service (ErrorCode); or NO_CONNECTION: it could not be reached, or the connection broke;
        TIMEOUT: it said nothing for the time allowed; NO_ANSWER: something else answered, a proxy for example.
    details: every error of the request, each with `parameter` and `message`.
    request_id: finds the request in the log of the service.
    status: status of HTTP; None where nothing answered.
    retry_after: seconds after which the service asks to try again.
    """

    def __init__(
        self,
        message: str,
        code: str,
        *,
        details: Optional[List[Mapping[str, str]]] = None,
        request_id: Optional[str] = None,
        status: Optional[int] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.details = details or []
        self.request_id = request_id
        self.status = status
        self.retry_after = retry_after

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later."""
        if self.status is None:
            return self.code != "NO_ANSWER"
        return self.status in (408, 429) or self.status >= 500


def error_of(status: int, headers: Message, body: bytes) -> ForecastAccuracyError:
    """The error that a response tells, whoever wrote it."""
    retry_after = _seconds(headers.get("Retry-After"))
    try:
        content = json.loads(body)
        error = content["error"]
        return ForecastAccuracyError(
            error["message"],
            error["code"],
            details=error.get("details"),
            request_id=content["metadata"]["request_id"],
            status=status,
            retry_after=retry_after,
        )
    except (ValueError, KeyError, TypeError):
        text = body[:200].decode("utf-8", "replace")
        return ForecastAccuracyError(
            f"HTTP {status}: {text}",
            "NO_ANSWER",
            request_id=headers.get("X-Request-Id"),
            status=status,
            retry_after=retry_after,
        )


def _seconds(header: Optional[str]) -> Optional[float]:
    """Retry-After is a number of seconds, or an instant."""
    if header is None:
        return None
    try:
        return float(header) if header.isdigit() else max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
