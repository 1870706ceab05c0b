"""Which failures are worth another try, and how long to wait before it."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz

from craftax_text_gym.agents.llm.errors import is_out_of_credit

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
LONGEST_ASKED_WAIT = 600.0
"""A server that asks for more than these seconds is not waited for."""

_PASSING = frozenset({408, 409, 425, 429})


def is_passing(error: Exception) -> bool:
    """Whether a failure may pass by itself: time-outs, broken connections, rate limits, faults of the server."""
    status = getattr(error, "status_code", None)
    if status is None or status < 400:
        return True
    if is_out_of_credit(error) or (asked_wait(error) or 0.0) > LONGEST_ASKED_WAIT:
        return False
    return status in _PASSING or status >= 500


def wait_before(attempt: int, error: Exception) -> float:
    """How many seconds to wait.

    Args:
        attempt: How many tries have failed, from 1.
        error: How the last one failed.

    Returns:
        What the server asks for; else twice as long each time, less a random part so that many clients spread out.
    """
    asked = asked_wait(error)
    if asked is not None:
        return asked
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt - 1, 30)) * random.uniform(0.75, 1.0)


def asked_wait(error: Exception) -> float | None:
    """How many seconds the server asks to wait in `Retry-After` or `Retry-After-Ms`; None where it does not."""
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    date = parsedate_tz(headers.get("retry-after", ""))
    return None if date is None else max(0.0, mktime_tz(date) - time.time())
