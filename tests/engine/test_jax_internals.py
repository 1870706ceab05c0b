"""What is used of JAX beyond its documented interface: a test that fails here names what a new JAX has broken."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from craftax_text_gym.engine import jax_internals
from tests.compilations import compilations
from tests.subprocesses import run

HITS = """
    import json, threading
    import jax, jax.numpy as jnp
    from craftax_text_gym.engine import jax_internals

    counts = [jax_internals.count_cache_hits()]
    for shift in (2.25, 2.25, 3.5):
        jax.jit(lambda values: jnp.sin(values) + shift).lower(jnp.zeros(7)).compile()
        counts.append(jax_internals.count_cache_hits())
    thread = threading.Thread(target=lambda: counts.append(jax_internals.count_cache_hits()))
    thread.start()
    thread.join()
    print(json.dumps(counts))
"""


def test_a_start_of_jax_is_noticed_and_importing_jax_is_none() -> None:
    script = """
        import json, sys
        from craftax_text_gym.engine import jax_internals
        started = ["jax" in sys.modules, jax_internals.has_started()]
        import jax, jax.numpy as jnp
        started.append(jax_internals.has_started())
        jnp.zeros(1)
        print(json.dumps([*started, jax_internals.has_started()]))
    """
    assert run(script) == [False, False, False, True]


def test_a_hit_of_jax_s_own_cache_is_counted_for_the_thread_that_compiles(tmp_path: Path) -> None:
    environ = {
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    first, second = (run(HITS, timeout=60, **environ) for _ in range(2))
    assert first[0] == second[0] == 0
    assert first[1] < first[2] == first[3], "the second of the same functions is a hit, the third is another's"
    assert second[1] > 0
    assert first[4] == second[4] == 0


def test_a_compilation_is_heard_with_its_name() -> None:
    shift = float(np.random.default_rng().uniform(2, 3))

    def shifted(values: jax.Array) -> jax.Array:
        return values + shift

    with compilations() as names:
        jax.jit(shifted)(np.zeros(2))
        jax.jit(shifted)(np.zeros(2))
    assert names.count("jit(shifted)") == 1
    with compilations() as others:
        jax.jit(shifted)(np.zeros(2))
    assert others == []
    assert names.count("jit(shifted)") == 1


def test_a_compiled_function_survives_serialization() -> None:
    shift = float(np.random.default_rng().uniform(2, 3))  # JAX's own cache does not have it
    values = {"a": jnp.arange(3.0), "b": (jnp.ones(2),)}
    compiled = jax.jit(lambda tree: jax.tree.map(lambda leaf: leaf + shift, tree)).lower(values).compile()
    loaded = jax_internals.deserialize(jax_internals.serialize(compiled), jax.local_devices()[0])
    assert jax.tree.map(np.array_equal, loaded(values), compiled(values)) == {"a": True, "b": (True,)}


def test_a_device_has_a_version() -> None:
    assert all(map(jax_internals.platform_version, jax.local_devices()))
