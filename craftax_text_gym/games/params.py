"""Validation of `env_params`, the user's overrides of Craftax's `EnvParams`. No JAX."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from numbers import Integral, Real

from craftax_text_gym.games.spec import GameSpec, Param
from craftax_text_gym.utils.validation import nearest

_NOT_SETTABLE = {
    "max_timesteps": "the cap is Gymnasium's: pass max_episode_steps=… to gym.make or gym.make_vec instead",
    "fractal_noise_angles": "it shapes the world beside its seed: choose another seed instead",
}


def check(spec: GameSpec, env_params: Mapping[str, object]) -> dict[str, bool | int | float]:
    """Check fields of `EnvParams`.

    Args:
        spec: The game.
        env_params: Field -> value.

    Returns:
        Field -> value as plain Python.

    Raises:
        TypeError: If it is no mapping, or a value is of the wrong type.
        ValueError: If a field is unknown, not to be set here, or out of range.
    """
    if not isinstance(env_params, Mapping):
        raise TypeError(
            f"Expected env_params as a mapping of field names to values, got {env_params!r} "
            f"of type {type(env_params).__name__}."
        )
    params = {param.name: param for param in spec.params if param.name not in _NOT_SETTABLE}
    checked = {}
    for name, value in env_params.items():
        if name in _NOT_SETTABLE:
            raise ValueError(f"env_params cannot set {name!r}: {_NOT_SETTABLE[name]}.")
        if name not in params:
            raise ValueError(
                f"Unknown env_params field {name!r} for {spec.title}. "
                f"The closest fields: {', '.join(nearest(str(name), params))}."
            )
        checked[name] = _check_value(params[name], value)
    return checked


def _check_value(param: Param, value: object) -> bool | int | float:
    kinds: dict[type, type] = {bool: bool, int: Integral, float: Real}
    is_bool = isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")
    if is_bool is not (param.kind is bool) or not (is_bool or isinstance(value, kinds[param.kind])):
        raise TypeError(
            f"Expected env_params[{param.name!r}] as {param.kind.__name__}, such as {param.default!r}, "
            f"got {value!r} of type {type(value).__name__}."
        )
    if is_bool:
        return bool(value)
    number = operator.index(value) if param.kind is int else float(value)  # type: ignore[arg-type]
    lowest = 1 if param.name == "day_length" else 0
    if not math.isfinite(number) or not lowest <= number < 2**31:
        raise ValueError(f"Expected env_params[{param.name!r}] of at least {lowest} and below 2**31, got {number}.")
    return number
