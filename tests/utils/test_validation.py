from __future__ import annotations

import numpy as np
import pytest

from craftax_text_gym.utils.validation import check_count, check_flag
from craftax_text_gym.vector import arguments as vector_arguments


@pytest.mark.parametrize("check", [check_count, vector_arguments.check_count])
@pytest.mark.parametrize(
    ("count", "error", "message"),
    [
        (0, ValueError, "Expected max_steps of at least 1, got 0"),
        (-(10**30), ValueError, "of at least 1, got -1000"),
        (True, TypeError, "Expected max_steps as an int, got True of type bool"),
        (2.0, TypeError, "as an int, got 2.0 of type float"),
        (np.bool_(True), TypeError, "as an int"),
        ("3", TypeError, "as an int, got '3' of type str"),
        (None, TypeError, "as an int, got None"),
    ],
)
def test_what_is_no_count_is_refused(check: object, count: object, error: type[Exception], message: str) -> None:
    assert callable(check)
    check("max_steps", 1)
    with pytest.raises(error, match=message):
        check("max_steps", count)


def test_a_vector_takes_counts_of_numpy_and_makes_ints_of_them() -> None:
    count = vector_arguments.check_count("num_envs", np.int64(3))
    assert (count, type(count)) == (3, int)
    with pytest.raises(ValueError, match="num_envs of at least 1, got 0"):
        vector_arguments.check_count("num_envs", np.int32(0))


def test_flags_are_bools() -> None:
    check_flag("announce", False)
    for flag in (1, None, "yes", np.bool_(True)):
        with pytest.raises(TypeError, match="Expected announce as True or False, got"):
            check_flag("announce", flag)
