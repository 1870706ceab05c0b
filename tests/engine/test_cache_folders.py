"""Folders in which compiled functions cannot be kept: one warning, and the game works."""

from __future__ import annotations

import errno
import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from craftax_text_gym.engine import cache
from craftax_text_gym.engine.compiling import Compiler
from tests.engine.test_cache import traced_plan


def beneath_a_file(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.parent.rmdir()
    folder.parent.write_text("")


def link(folder: Path, _: pytest.MonkeyPatch) -> None:
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir(mode=0o700)
    folder.symlink_to(elsewhere)


def dangling_link(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.symlink_to(folder.with_name("nowhere"))


def open_to_others(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    folder.chmod(0o755)


def another_user_s(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o700)
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)


def only_to_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o700)
    refuse(monkeypatch, tempfile, "NamedTemporaryFile", errno.EROFS)  # an administrator may write all the same


def full_disk(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, Path, "replace", errno.ENOSPC)


def refuse(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, code: int) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(place, name, refused)


@pytest.mark.parametrize(
    "trouble",
    [beneath_a_file, link, dangling_link, open_to_others, another_user_s, only_to_be_read, full_disk],
    ids=lambda trouble: trouble.__name__,
)
def test_a_folder_that_cannot_be_used_costs_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    folder = tmp_path / "around" / "games"
    folder.parent.mkdir()
    monkeypatch.setattr(cache, "_warning", cache._Warning())
    monkeypatch.setenv(cache.CACHE_ENV_VAR, str(folder))
    trouble(folder, monkeypatch)
    scales = [float(scale) for scale in np.random.default_rng().uniform(2, 3, 2)]  # no other run has compiled these
    environ, settings = dict(os.environ), dict(jax.config.values)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for scale in scales:
            function = Compiler().get("double", lambda scale=scale: traced_plan([], scale))  # type: ignore[misc]
            assert np.allclose(function(jnp.array([1.0, 2.0, 3.0])), [scale, 2 * scale, 3 * scale])
    assert [warning.category for warning in caught] == [RuntimeWarning]
    assert cache.CACHE_ENV_VAR in str(caught[0].message)
    assert (dict(os.environ), dict(jax.config.values)) == (environ, settings)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path != folder.parent] == []
