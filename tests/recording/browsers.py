"""A headless Chromium for the tests: the one that is installed, for Playwright's own need not be."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find() -> str:
    """The path of an installed Chromium. Where there is none, the test is skipped; under CI it fails."""
    path = next((path for path in map(shutil.which, NAMES) if path), None)
    if path is not None:
        return path
    if os.environ.get("CI"):
        pytest.fail(f"Expected one of {', '.join(NAMES)}, got none: apt-get install chromium.")
    pytest.skip("there is no Chromium: apt-get install chromium")


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser, closed in the end."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses to run as root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=arguments)
        yield browser
        browser.close()
