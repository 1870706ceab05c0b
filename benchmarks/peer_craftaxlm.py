"""craftaxlm's texts of Classic states. `text_size` runs it in a separate environment.

That environment: `pip install craftaxlm==0.0.37 craftax==1.4.5 imageio` (it imports with no newer Craftax).
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import jax
from craftax.craftax_classic.envs.craftax_symbolic_env import CraftaxClassicSymbolicEnv
from craftaxlm.classic.state import render_craftax_classic_text_custom

VANTAGE = 4


def main() -> None:
    """Read the states' leaves from the file that is named; print the texts by form, as JSON."""
    env = CraftaxClassicSymbolicEnv()
    template = jax.eval_shape(env.reset, jax.random.PRNGKey(0), env.default_params)[1]
    structure = jax.tree.structure(template)
    texts: dict[str, list[str]] = {"list of tiles": [], "compact map": []}
    for leaves in pickle.loads(Path(sys.argv[1]).read_bytes()):
        state = jax.tree.unflatten(structure, [jax.numpy.asarray(leaf) for leaf in leaves])
        seen = render_craftax_classic_text_custom(state, vantage=VANTAGE)
        for name, map_format in (("list of tiles", "full"), ("compact map", "compact")):
            texts[name].append(seen.render_to_text_simple(verbose=False, formatting="md", map_format=map_format))
    sys.stdout.write("\n" + json.dumps(texts) + "\n")


if __name__ == "__main__":
    main()
