"""Frameworks that may be missing: their tests are skipped then, unless they are what is to be tested."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def require(name: str, *modules: str) -> Any:
    """Import what the tests of a framework need, or skip them.

    Args:
        name: The framework. Where `CRAFTAX_TEXT_REQUIRE` has this name, a missing module is an error.
        modules: The modules; the first is returned.
    """
    if os.environ.get("CRAFTAX_TEXT_REQUIRE") == name:
        found = [importlib.import_module(module) for module in modules]
    else:
        reason = f"{name} is not installed: nox -s {name}"
        found = [pytest.importorskip(module, reason=reason) for module in modules]
    return found[0]
