"""The text is found, changed and given room wherever it stands in an observation."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict

from craftax_text_gym.spaces import ObservationText
from craftax_text_gym.text.location import find_text, get_text, grow_space, put_text


def test_the_text_is_found_at_any_depth() -> None:
    box = Box(0, 1, (2,), np.float32)
    both = Dict({"text": ObservationText(10), "symbolic": box})
    nested = Dict({"pixels": box, "state": both})
    assert [find_text(space) for space in (ObservationText(), both, nested, box)] == [
        (),
        ("text",),
        ("state", "text"),
        None,
    ]
    assert find_text(Dict({"a": ObservationText(), "b": ObservationText()})) is None
    grown = grow_space(nested, ("state", "text"), 5, times=2)
    assert grown["state"]["text"].max_length == 25  # type: ignore[index]
    assert grown["pixels"] == box  # type: ignore[index]
    observation = {"pixels": 0, "state": {"text": "a", "symbolic": 1}}
    changed = put_text(observation, ("state", "text"), "b")
    assert (get_text(observation, ("state", "text")), get_text(changed, ("state", "text"))) == ("a", "b")
    assert changed == {"pixels": 0, "state": {"text": "b", "symbolic": 1}}
