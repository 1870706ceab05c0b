"""Compiled games on disk, as several processes share them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from craftax_text_gym.engine import cache
from tests.proof import IS_PROOF
from tests.subprocesses import CLASSIC_ID, FULL_ID, QUICKLY, run, transcript

PLAYER = """
    import json, os, sys, warnings
    warnings.simplefilter("ignore")
    import jax
    import craftax_text_gym, gymnasium as gym
    from tests.compilations import compilations
    from tests.subprocesses import transcript

    warned = []
    warnings.showwarning = lambda message, *_: warned.append(str(message))
    warnings.filterwarnings("always", message=".*ompiled function")
    environ, settings = dict(os.environ), dict(jax.config.values)
    with compilations() as names:
        played = transcript(gym.make(json.loads(sys.argv[1])))
    changed = [name for name, value in settings.items() if jax.config.values[name] != value]
    changed += [name for name, value in environ.items() if os.environ.get(name) != value]
    compiled = sorted({"jit(reset)", "jit(step)"} & set(names))
    print(json.dumps([compiled, "craftax" in sys.modules, warned, changed, played]))
"""

WRITER = """
    import json, sys, time, warnings
    from pathlib import Path
    import jax, numpy as np
    from craftax_text_gym.engine import cache
    from craftax_text_gym.engine.compiling import Compiler, Plan, abstract

    warnings.simplefilter("error")
    me, them = map(Path, json.loads(sys.argv[1]))
    device = jax.local_devices()[0]
    values = np.arange(3, dtype=np.float32)
    compiled = jax.jit(lambda values: values * 2.5).lower(values).compile()
    me.touch()
    while not them.exists():
        time.sleep(0.01)
    results = []
    for _ in range(50):
        cache.store("test-shared", compiled, device.id)
        results.append(np.asarray(cache.load("test-shared")(values)).tolist())
    print(json.dumps(results))
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A cache of ours that is empty, and none of JAX's own."""
    flags = "" if IS_PROOF else QUICKLY
    return {cache.CACHE_ENV_VAR: str(tmp_path / "games"), "JAX_ENABLE_COMPILATION_CACHE": "false", "XLA_FLAGS": flags}


@pytest.mark.parametrize("env_id", [CLASSIC_ID, FULL_ID] if IS_PROOF else [CLASSIC_ID])
def test_a_second_process_loads_what_the_first_has_compiled_and_needs_no_craftax(
    env_id: str, environ: dict[str, str]
) -> None:
    first, second = (run(PLAYER, env_id, timeout=900, **environ) for _ in range(2))
    played: list[Any] = transcript(gym.make(env_id))
    assert first == [["jit(reset)", "jit(step)"], True, [], [], played]
    assert second == [[], False, [], [], played]


def test_two_processes_write_and_read_the_same_entry_at_once(tmp_path: Path, environ: dict[str, str]) -> None:
    marks = [str(tmp_path / "one"), str(tmp_path / "other")]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda order: run(WRITER, order, timeout=60, **environ), (marks, marks[::-1])))
    assert results == [[[0.0, 2.5, 5.0]] * 50] * 2
    (entry,) = Path(environ[cache.CACHE_ENV_VAR]).iterdir()
    assert entry.suffix == ".xla"
