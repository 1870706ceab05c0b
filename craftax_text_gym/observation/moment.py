"""The input of the text writer."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.observation.scene import Scene


class Moment(NamedTuple):
    """One step of one game, limited to what its player may know.

    Attributes:
        scene: What the player sees now.
        action_mask: int8 `[num_actions]`, 1 where an action is available now.
        before: What the player saw before the last step; None after a reset.
        action: The number of the action that was asked for; None after a reset.
        params: The fields of Craftax's `EnvParams` that differ from its own.
    """

    scene: Scene
    action_mask: NDArray[np.int8]
    before: Scene | None = None
    action: int | None = None
    params: Mapping[str, object] = MappingProxyType({})
