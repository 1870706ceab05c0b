"""Craftax and Craftax-Classic as Gymnasium environments that language models read and act in by name.

Importing the package registers `CraftaxText-v0` and `CraftaxClassicText-v0`, and starts no JAX.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from craftax_text_gym import games
from craftax_text_gym.engine import fork_guard as _fork_guard  # noqa: F401  registers its hook at once
from craftax_text_gym.games import GameSpec
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.registration import register as _register
from craftax_text_gym.spaces import NamedDiscrete, ObservationText
from craftax_text_gym.text import TextFormat

if TYPE_CHECKING:
    from craftax_text_gym import scoring, wrappers
    from craftax_text_gym.evaluation import Report, evaluate
    from craftax_text_gym.handbook import instructions, manual
    from craftax_text_gym.replies.parsing import ParsedActions, parse_actions
    from craftax_text_gym.session import TextSession, Turn

__version__ = "0.1.0"

_ON_DEMAND = {
    "ParsedActions": "craftax_text_gym.replies.parsing",
    "Report": "craftax_text_gym.evaluation",
    "TextSession": "craftax_text_gym.session",
    "Turn": "craftax_text_gym.session",
    "evaluate": "craftax_text_gym.evaluation",
    "instructions": "craftax_text_gym.handbook",
    "manual": "craftax_text_gym.handbook",
    "parse_actions": "craftax_text_gym.replies.parsing",
}
"""Names that are imported when they are first asked for, so that importing the package stays cheap."""


_MODULES_ON_DEMAND = ("scoring", "wrappers")


def __getattr__(name: str) -> object:
    if name in _MODULES_ON_DEMAND:
        return import_module(f"{__name__}.{name}")
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ON_DEMAND[name]), name)


_register()

__all__ = [
    "GameSpec",
    "NamedDiscrete",
    "ObservationText",
    "ParsedActions",
    "Report",
    "Scene",
    "TextFormat",
    "TextSession",
    "Turn",
    "__version__",
    "evaluate",
    "games",
    "instructions",
    "manual",
    "parse_actions",
    "scoring",
    "wrappers",
]
