"""Which failures are worth a retry, and how long to wait before it."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz

from craftax_text_gym.agents.llm.errors import is_out_of_credit

FIRST_WAIT = 0.5
MAX_WAIT = 30.0
MAX_RETRY_AFTER = 600.0
"""Seconds; if the server asks for a longer wait, the request fails at once."""

_TRANSIENT_STATUSES = frozenset({408, 409, 425, 429})
_AWAY_STATUSES = frozenset({502, 503, 504})


def is_transient(error: Exception) -> bool:
    """Whether a retry may succeed: timeouts, broken connections, rate limits, server errors."""
    status = getattr(error, "status_code", None)
    if status is None or status < 400:
        return True
    if is_out_of_credit(error) or (retry_after(error) or 0.0) > MAX_RETRY_AFTER:
        return False
    return status in _TRANSIENT_STATUSES or status >= 500


def is_away(error: Exception) -> bool:
    """Whether a proxy or the server itself says that it is not there yet, as while it restarts."""
    return getattr(error, "status_code", None) in _AWAY_STATUSES


def retry_delay(attempt: int, error: Exception) -> float:
    """The delay before a retry, in seconds: exponential backoff with jitter, unless the server asks for another.

    Args:
        attempt: The number of failed attempts, from 1.
        error: The last error.

    Returns:
        Seconds.
    """
    requested = retry_after(error)
    if requested is not None:
        return requested
    return min(MAX_WAIT, FIRST_WAIT * 2.0 ** min(attempt - 1, 30)) * random.uniform(0.75, 1.0)


def retry_after(error: Exception) -> float | None:
    """The seconds that the server asks to wait by `Retry-After` or `Retry-After-Ms`; None if it does not."""
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    date = parsedate_tz(headers.get("retry-after", ""))
    return None if date is None else max(0.0, mktime_tz(date) - time.time())
