"""Craftax and Craftax-Classic as Gymnasium environments that language models read and act in by name.

Importing the package registers `CraftaxText-v0` and `CraftaxClassicText-v0`, and starts no JAX.
"""

from __future__ import annotations

from craftax_text_gym import games
from craftax_text_gym.engine import fork_guard as _fork_guard  # noqa: F401  registers its hook at once
from craftax_text_gym.games import GameSpec
from craftax_text_gym.handbook import instructions, manual
from craftax_text_gym.registration import register as _register
from craftax_text_gym.scene import Scene
from craftax_text_gym.spaces import NamedDiscrete, ObservationText
from craftax_text_gym.text import TextFormat

__version__ = "0.1.0"

_register()

__all__ = [
    "GameSpec",
    "NamedDiscrete",
    "ObservationText",
    "Scene",
    "TextFormat",
    "__version__",
    "games",
    "instructions",
    "manual",
]
