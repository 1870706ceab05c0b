"""All that this package uses of Gymnasium beyond its documented interface.

`tests/utils/test_gymnasium_internals.py` names what a new Gymnasium has broken.
"""

from __future__ import annotations

from typing import Any


def constructor_kwargs(wrapper: Any) -> dict[str, Any] | None:
    """The arguments that a wrapper was made with, beside the environment.

    Gymnasium shows them in `wrapper.spec.additional_wrappers`, but only over an environment made by `gym.make`.

    Args:
        wrapper: A wrapper of a single or vector environment.

    Returns:
        Its keyword arguments; None where it does not record them by `gymnasium.utils.RecordConstructorArgs`.
    """
    kwargs: dict[str, Any] | None = getattr(wrapper, "_saved_kwargs", None)
    return kwargs
