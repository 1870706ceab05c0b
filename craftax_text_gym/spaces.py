"""The spaces of the environments: actions with names, observations in words."""

from __future__ import annotations

import multiprocessing
import string
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from gymnasium.spaces import Discrete, Text
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory
from numpy.typing import NDArray

from craftax_text_gym.utils.validation import nearest

CHARSET: str = "\n" + "".join(sorted(set(string.printable) - set(string.whitespace))) + " "
"""Every character that an observation may hold: printable ASCII, the space and the newline, each once."""

MAX_LENGTH = 16_384
"""The most characters that an observation may have."""

_LENGTH_BYTES = 4


if TYPE_CHECKING:
    _Integers = Discrete[np.int64]
else:
    _Integers = Discrete  # not generic in Gymnasium 1.2.2


class NamedDiscrete(_Integers):
    """A `Discrete` space whose elements have names.

    It contains integers only and equals, flattens and batches as `Discrete(n)` does.

    Attributes:
        names: The name of each action, by number.
    """

    def __init__(self, names: Sequence[str], seed: int | np.random.Generator | None = None) -> None:
        """Make the space.

        Args:
            names: The names, all different.
            seed: Seeds `sample`.

        Raises:
            ValueError: If there is no name, or one occurs twice.
        """
        if not names or len(set(names)) != len(names):
            raise ValueError(f"Expected different names, at least one, got {list(names)}.")
        super().__init__(len(names), seed=seed)
        self.names: tuple[str, ...] = tuple(names)
        self._index = {name: index for index, name in enumerate(self.names)}

    def name_of(self, action: int | np.integer[Any]) -> str:
        """The name of an action.

        Args:
            action: An element of the space.

        Returns:
            Its name.

        Raises:
            TypeError: If it is not an integer.
            ValueError: If it lies outside the space.
        """
        return self.names[self._checked(action)]

    def index_of(self, name: str) -> int:
        """The number of an action.

        Args:
            name: Its exact name.

        Returns:
            Its number.

        Raises:
            ValueError: If there is no such name; the closest ones are in the message.
        """
        try:
            return self._index[name]
        except (KeyError, TypeError):
            near = ", ".join(nearest(str(name), self.names))
            raise ValueError(f"Expected the name of an action, got {name!r}. The closest names: {near}.") from None

    def resolve(self, action: int | np.integer[Any] | str) -> int:
        """The number of an action that is given as a number or a name.

        Args:
            action: An element of the space, or an exact name.

        Returns:
            Its number.

        Raises:
            TypeError: If it is neither.
            ValueError: If there is no such action.
        """
        return self.index_of(action) if isinstance(action, str) else self._checked(action)

    def _checked(self, action: Any) -> int:
        if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer | np.ndarray):
            raise TypeError(
                f"Expected an action as an int below {self.n} or a name such as {self.names[-1]!r}, "
                f"got {action!r} of type {type(action).__name__}."
            )
        if isinstance(action, np.ndarray) and (action.shape != () or action.dtype.kind not in "iu"):
            raise TypeError(f"Expected a single action, got an array of shape {action.shape} and dtype {action.dtype}.")
        index = int(action)
        if not 0 <= index < self.n:
            raise ValueError(
                f"Expected an action from 0 to {self.n - 1}, got {index}. "
                f"Names work too, from {self.names[0]!r} to {self.names[-1]!r}."
            )
        return index

    def __repr__(self) -> str:
        return f"NamedDiscrete({self.n}: {', '.join(self.names)})"


class ObservationText(Text):
    """The `Text` space of the observations: printable ASCII, spaces and newlines.

    Unlike a plain `Text` it also works in the shared memory of Gymnasium's `AsyncVectorEnv`, which reads a plain one
    only once, when it is made.
    """

    def __init__(self, max_length: int = MAX_LENGTH, *, seed: int | np.random.Generator | None = None) -> None:
        """Make the space.

        Args:
            max_length: The most characters of an observation.
            seed: Seeds `sample`.
        """
        super().__init__(max_length, min_length=1, charset=CHARSET, seed=seed)

    def __repr__(self) -> str:
        return f"ObservationText({self.max_length})"


class SharedTexts(Sequence[str]):
    """The texts that worker processes wrote into shared memory, read anew whenever one is asked for.

    `copy.deepcopy`, which `AsyncVectorEnv(copy=True)` applies, gives a plain tuple of strings that stays.
    """

    def __init__(self, memory: Any, num_texts: int, max_length: int) -> None:
        """Wrap the memory.

        Args:
            memory: Bytes: for each text 4 of its length, then `max_length` of its characters.
            num_texts: The number of texts.
            max_length: The room for each.
        """
        self._memory = memory
        self._num_texts = num_texts
        self._stride = _LENGTH_BYTES + max_length

    def __len__(self) -> int:
        return self._num_texts

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(f"Expected an index below {len(self)}, got {index}.")
        view = memoryview(self._memory.get_obj()).cast("B")
        start = (index % len(self)) * self._stride
        length = int.from_bytes(view[start : start + _LENGTH_BYTES], "little")
        text = start + _LENGTH_BYTES
        return bytes(view[text : text + length]).decode()

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: object) -> tuple[str, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return repr(tuple(self))


@create_shared_memory.register(ObservationText)
def _create(space: ObservationText, n: int = 1, ctx: ModuleType = multiprocessing) -> Any:
    return ctx.Array("B", n * (_LENGTH_BYTES + space.max_length))


@read_from_shared_memory.register(ObservationText)
def _read(space: ObservationText, shared_memory: Any, n: int = 1) -> SharedTexts:
    return SharedTexts(shared_memory, n, space.max_length)


@write_to_shared_memory.register(ObservationText)
def _write(space: ObservationText, index: int, value: str, shared_memory: Any) -> None:
    encoded = value.encode()
    if len(encoded) > space.max_length:
        raise ValueError(f"Expected a text of at most {space.max_length} bytes, got {len(encoded)}.")
    stride = _LENGTH_BYTES + space.max_length
    buffer: NDArray[np.uint8] = np.frombuffer(shared_memory.get_obj(), np.uint8)
    record = len(encoded).to_bytes(_LENGTH_BYTES, "little") + encoded
    buffer[index * stride : index * stride + len(record)] = np.frombuffer(record, np.uint8)
