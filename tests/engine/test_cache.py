"""Compiled functions on disk: shown with a tiny one, through the compiler that the games use."""

from __future__ import annotations

import io
import os
import pickle
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from craftax_text_gym.engine import cache, compiling, jax_internals
from craftax_text_gym.engine.compiling import Compiler, Plan, abstract
from craftax_text_gym.engine.jax_internals import CACHE_HIT


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "games"
    monkeypatch.setenv(cache.CACHE_ENV_VAR, str(folder))
    monkeypatch.setattr(cache, "_warning", cache._Warning())
    return folder


def plan_of(name: str, function: Callable[..., Any], donate: tuple[int, ...] = ()) -> Plan:
    device = jax.local_devices()[0]
    return Plan(name, lambda: (function, (abstract(jnp.zeros(3), device),)), donate, device)


def traced_plan(traces: list[int], scale: float = 2.0) -> Plan:
    def double(values: jax.Array) -> jax.Array:
        traces.append(1)
        return values * scale

    return plan_of("test-double", double, (0,))


def sine() -> Any:
    """A compiled function, whatever JAX's own cache holds: that one's code would be missing on disk."""
    shift = float(np.random.default_rng().uniform(2, 3))
    return jax.jit(lambda values: jnp.sin(values) + shift).lower(jnp.zeros(2)).compile()


def run(traces: list[int]) -> list[float]:
    function = Compiler().get("double", lambda: traced_plan(traces))
    values: list[float] = np.asarray(function(jnp.array([1.0, 2.0, 3.0]))).tolist()
    return values


def test_a_second_process_neither_traces_nor_compiles(place: Path) -> None:
    traces: list[int] = []
    scale = float(np.random.default_rng().uniform(2, 3))  # no other run has compiled this
    results = []
    for _ in range(2):
        function = Compiler().get("double", lambda: traced_plan(traces, scale))
        results.append(np.asarray(function(jnp.array([1.0, 2.0, 3.0]))).tolist())
    assert results[0] == results[1]
    assert len(traces) == 1
    (stored,) = place.iterdir()
    assert stored.stat().st_mode & 0o777 == 0o600
    assert place.stat().st_mode & 0o777 == 0o700


def test_what_jax_s_own_cache_gave_is_not_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hit(*_: object) -> None:
        jax.monitoring.record_event(CACHE_HIT)

    monkeypatch.setattr(jax, "jit", lambda function, **_: _Hitting(function, hit))
    monkeypatch.setattr(compiling, "_strip_locations", lambda _: None)
    Compiler().get("double", lambda: traced_plan([]))
    assert not place.exists()


def test_a_function_that_jax_remembers_is_kept_whole_or_not_at_all(place: Path) -> None:
    shift = float(np.random.default_rng().uniform(2, 3))

    def waves(values: jax.Array) -> jax.Array:
        return jnp.sort(jnp.sin(values) + shift)

    plan, values = plan_of("test-waves", waves), jnp.array([1.0, 2.0, 3.0])
    expected = np.asarray(Compiler().get("waves", lambda: plan)(values)).tolist()
    (first,) = place.iterdir()
    whole = first.stat().st_size
    first.unlink()
    assert np.asarray(Compiler().get("waves", lambda: plan)(values)).tolist() == expected
    assert [entry.stat().st_size for entry in place.iterdir()] in ([], [pytest.approx(whole, rel=0.1)])


class _Hitting:
    """A jitted function whose compilation JAX's own cache saves."""

    def __init__(self, function: Callable[..., Any], hit: Callable[[], None]) -> None:
        self._function, self._hit = function, hit

    def lower(self, *_: object) -> _Hitting:
        return self

    def compile(self, **_: object) -> Callable[..., Any]:
        self._hit()
        return self._function


def test_compilations_overlap_and_a_failed_one_is_tried_again() -> None:
    gate, calls = threading.Event(), []

    def waits(values: jax.Array) -> jax.Array:
        assert gate.wait(60)
        return values

    def fails_once(values: jax.Array) -> jax.Array:
        calls.append(1)
        if len(calls) == 1:
            raise ValueError("the first time")
        return values

    compiler = Compiler()
    slow = compiler.start(plan_of(f"test-waits-{id(gate)}", waits))
    plan = plan_of(f"test-fails-{id(gate)}", fails_once)
    with pytest.raises(ValueError, match="the first time"):
        compiler.start(plan).result()
    assert not slow.done()
    gate.set()
    assert callable(slow.result())
    assert callable(compiler.start(plan).result())


@pytest.fixture
def stored(place: Path) -> Path:
    """An entry that was compiled here, whatever JAX's own cache holds."""
    scale = float(np.random.default_rng().uniform(2, 3))  # no other run has compiled this

    def plan() -> Plan:
        return traced_plan([], scale)

    Compiler().get("double", plan)
    (path,) = place.glob("*.xla")
    return path


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "garbage"])
def test_a_damaged_entry_costs_a_warning_and_a_compilation(stored: Path, damage: str) -> None:
    content = stored.read_bytes()
    stored.write_bytes(
        {
            "truncated": content[:-100],
            "flipped": content[:-1] + bytes([content[-1] ^ 1]),
            "empty": b"",
            "garbage": b"garbage",
        }[damage]
    )
    traces: list[int] = []
    with pytest.warns(RuntimeWarning, match="compiled again"):
        assert run(traces) == [2.0, 4.0, 6.0]
    assert traces


class Gone:
    """Stands in a pickle for what another version had."""


def gone_class() -> bytes:
    return pickle.dumps(Gone()).replace(b"Gone", b"Lost")


def gone_module() -> bytes:
    return pickle.dumps(Gone()).replace(b"tests.engine", b"tests.absent")


class Unloadable(pickle.Pickler):
    """Pickles `Gone` as JAX does an executable, but as one that XLA cannot load."""

    def persistent_id(self, obj: object) -> tuple[str, bytes] | None:
        return ("exec", b"no executable") if obj is Gone else None


def unloadable(serialized: tuple[bytes, Any, Any], device: int) -> bytes:
    code = io.BytesIO()
    Unloadable(code).dump((Gone, [], False))
    return pickle.dumps(((code.getvalue(), *serialized[1:]), device))


UNREADABLE: dict[str, Callable[[bytes], bytes]] = {
    "no pickle": lambda _: b"garbage",
    "nothing": lambda _: b"",
    "half a pickle": lambda payload: payload[: len(payload) // 2],
    "an empty stack": lambda _: b".",
    "a class that is gone": lambda _: gone_class(),
    "a module that is gone": lambda _: gone_module(),
    "a number": lambda _: pickle.dumps(5),
    "three things": lambda _: pickle.dumps((1, 2, 3)),
    "no code": lambda _: pickle.dumps((("code", None, None), 0)),
    "another device": lambda payload: pickle.dumps((pickle.loads(payload)[0], 7)),
    "code that XLA refuses": lambda payload: unloadable(*pickle.loads(payload)),
}


@pytest.mark.parametrize("content", UNREADABLE)
def test_an_entry_of_other_content_costs_a_warning_and_a_compilation(stored: Path, content: str) -> None:
    payload = UNREADABLE[content](stored.read_bytes()[cache._CHECKSUM_BYTES :])
    stored.write_bytes(cache._checksum(stored, payload) + payload)
    traces: list[int] = []
    with pytest.warns(RuntimeWarning, match="compiled again"):
        assert run(traces) == [2.0, 4.0, 6.0]
    assert traces


def test_a_fault_of_our_own_is_not_swallowed(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise AssertionError("a fault")

    monkeypatch.setattr(jax_internals, "deserialize", fails)
    with pytest.raises(AssertionError, match="a fault"):
        run([])
    assert stored.exists()


@pytest.mark.parametrize("target", ["entry", "folder"])
def test_what_others_may_write_is_not_run(stored: Path, target: str) -> None:
    (stored if target == "entry" else stored.parent).chmod(0o777)
    traces: list[int] = []
    with pytest.warns(RuntimeWarning, match="chmod go-rwx"):
        assert run(traces) == [2.0, 4.0, 6.0]
    assert traces


def test_an_entry_does_not_stand_in_for_another(stored: Path) -> None:
    other = cache._path("test-other")
    assert other is not None
    other.write_bytes(stored.read_bytes())
    other.chmod(0o600)
    with pytest.warns(RuntimeWarning, match="checksum is wrong"):
        assert cache.load("test-other") is None
    assert cache.load("test-double") is not None


def test_a_link_is_not_followed(stored: Path) -> None:
    real = stored.with_suffix(".real")
    stored.rename(real)
    stored.symlink_to(real)
    with pytest.warns(RuntimeWarning, match="chmod go-rwx"):
        assert run([]) == [2.0, 4.0, 6.0]


def test_a_second_warning_is_not_given(stored: Path) -> None:
    stored.write_bytes(b"")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run([])
        stored.write_bytes(b"")
        run([])
    assert [warning.category for warning in caught] == [RuntimeWarning]


def test_what_killed_writers_left_is_removed_after_a_while(stored: Path) -> None:
    old, young, other = (stored.with_name(name) for name in ("tmpa.part", "tmpb.part", "tmpc"))
    for path in (old, young, other):
        path.write_bytes(b"half")
    for path in (old, other):
        os.utime(path, (1, 1))
    cache.store("test-sine", sine(), 0)
    assert not old.exists()
    assert young.exists()
    assert other.exists()


def test_an_entry_that_is_not_used_for_long_is_removed(stored: Path) -> None:
    unused = stored.with_name("of-another-version.xla")
    unused.write_bytes(stored.read_bytes())
    for path in (unused, stored):
        os.utime(path, (1, 1))
    assert cache.load("test-double") is not None
    cache.store("test-sine", sine(), 0)
    assert not unused.exists()
    assert stored.exists()


def test_an_entry_in_a_folder_that_is_only_to_be_read_is_used(stored: Path) -> None:
    stored.chmod(0o400)
    stored.parent.chmod(0o500)
    assert cache.load("test-double") is not None


def test_many_may_write_and_read_the_same_entry_at_once(stored: Path) -> None:
    compiled = sine()

    def write_and_read(_: int) -> list[float]:
        cache.store("test-sine", compiled, 0)
        function = cache.load("test-sine")
        assert function is not None
        return np.asarray(function(jnp.zeros(2))).tolist()  # type: ignore[no-any-return]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(write_and_read, range(40)))
    assert results == [np.asarray(compiled(jnp.zeros(2))).tolist()] * 40
    assert {path.suffix for path in stored.parent.iterdir()} == {".xla"}
    assert len(list(stored.parent.iterdir())) == 2


@pytest.mark.parametrize("value", ["off", "OFF", "0", "no"])
def test_it_can_be_switched_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.CACHE_ENV_VAR, value)
    assert cache.folder() is None
    assert cache.load("anything") is None


def test_an_entry_belongs_to_its_machine_versions_and_sources(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = cache._path("step")
    assert usual is not None
    assert usual.parent == place
    assert cache._path("other") != usual
    monkeypatch.setenv("XLA_FLAGS", "--xla_dump_to=nowhere")
    assert cache._path("step") != usual
    monkeypatch.delenv("XLA_FLAGS")
    for name in ("_processor", "_digest_of_sources"):
        with monkeypatch.context() as patch:
            patch.setattr(cache, name, lambda: "another")
            cache._identity.cache_clear()
            assert cache._path("step") != usual
        cache._identity.cache_clear()
    assert cache._path("step") == usual


@pytest.mark.usefixtures("stored")
def test_the_user_s_configuration_stays_as_it_is() -> None:
    before = dict(jax.config.values)
    run([])
    assert dict(jax.config.values) == before
