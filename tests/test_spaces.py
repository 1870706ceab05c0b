"""The spaces: actions with names, and texts that survive shared memory."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Dict, Discrete, MultiDiscrete, Text, Tuple, flatdim
from gymnasium.vector.utils import batch_space, shared_memory
from hypothesis import given, settings
from hypothesis import strategies as st

from craftax_text_gym import NamedDiscrete, ObservationText, TextFormat
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.spaces import CHARSET
from craftax_text_gym.text.writer import get_writer
from tests import proof
from tests.worlds import GAMES, edited_states, scene_of

NAMES = ("noop", "left", "right", "up", "down")
# Gymnasium's annotations know arrays only.
create_shared_memory: Any = shared_memory.create_shared_memory
read_from_shared_memory: Any = shared_memory.read_from_shared_memory
write_to_shared_memory: Any = shared_memory.write_to_shared_memory
TEXTS = st.text(alphabet=CHARSET, min_size=1, max_size=64)


# Actions


def test_actions_are_integers_only() -> None:
    space = NamedDiscrete(NAMES)
    assert 0 in space
    assert np.int64(4) in space
    assert 5 not in space
    assert -1 not in space
    assert "left" not in space


def test_named_actions_equal_batch_and_flatten_as_plain_ones() -> None:
    space = NamedDiscrete(NAMES)
    assert space == Discrete(5)
    assert Discrete(5) == space
    assert space != Discrete(6)
    assert batch_space(space, 3) == MultiDiscrete([5, 5, 5])
    assert flatdim(space) == 5
    assert repr(space) == "NamedDiscrete(5: noop, left, right, up, down)"


def test_names_and_numbers_are_each_others_inverse() -> None:
    space = NamedDiscrete(NAMES)
    assert [space.name_of(index) for index in range(5)] == list(NAMES)
    assert [space.index_of(name) for name in NAMES] == list(range(5))


@pytest.mark.parametrize(
    "action", [2, np.int8(2), np.uint8(2), np.int32(2), np.int64(2), np.array(2), "right", np.str_("right")]
)
def test_an_action_may_be_any_kind_of_integer_or_a_name(action: Any) -> None:
    resolved = NamedDiscrete(NAMES).resolve(action)
    assert resolved == 2
    assert type(resolved) is int


def test_a_mask_restricts_the_sample() -> None:
    space = NamedDiscrete(NAMES, seed=0)
    mask = np.array([0, 1, 0, 0, 1], np.int8)
    assert {int(space.sample(mask)) for _ in range(50)} == {1, 4}


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda space: pickle.loads(pickle.dumps(space))])
def test_copies_keep_names_and_generator(duplicate: Any) -> None:
    space = NamedDiscrete(NAMES, seed=7)
    space.sample()
    other = duplicate(space)
    assert other == space
    assert other.names == NAMES
    assert other.index_of("up") == 3
    assert [other.sample() for _ in range(20)] == [space.sample() for _ in range(20)]


@pytest.mark.parametrize("names", [(), ("left", "left")])
def test_a_space_without_names_or_with_one_twice_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="Expected different names"):
        NamedDiscrete(names)


def test_a_wrong_name_brings_the_closest_ones() -> None:
    with pytest.raises(ValueError, match="got 'rihgt'. The closest names: right"):
        NamedDiscrete(NAMES).index_of("rihgt")


# Texts


def test_the_charset_is_ordered_and_holds_each_character_once() -> None:
    assert isinstance(CHARSET, str)
    assert len(set(CHARSET)) == len(CHARSET) == 96
    assert ObservationText().character_list == tuple(CHARSET)


def test_texts_are_printable_ascii_of_bounded_length() -> None:
    space = ObservationText(10)
    assert "a ~\n{}" in space
    assert "x" * 10 in space
    for text in ("", "x" * 11, "a\tb", "é", "a\r", 5, None):
        assert text not in space


def test_the_space_is_a_plain_text_space_to_gymnasium() -> None:
    space = ObservationText(10)
    assert space == Text(10, min_length=1, charset=CHARSET)
    assert copy.deepcopy(space) == space
    assert pickle.loads(pickle.dumps(space)) == space
    assert batch_space(space, 2) == Tuple((space, space))
    assert space.sample() in space
    assert repr(space) == "ObservationText(10)"


def test_equal_seeds_sample_equal_texts() -> None:
    first, second = ObservationText(50, seed=3), ObservationText(50, seed=3)
    assert [first.sample() for _ in range(20)] == [second.sample() for _ in range(20)]


@given(st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=proof.count(1_000, 60), deadline=None)
def test_texts_survive_shared_memory(texts: list[str]) -> None:
    space = ObservationText(64)
    memory = create_shared_memory(space, n=len(texts), ctx=multiprocessing)
    view = read_from_shared_memory(space, memory, n=len(texts))
    for index in range(len(texts)):
        write_to_shared_memory(space, index, "y" * 64, memory)
    for index, text in enumerate(texts):
        write_to_shared_memory(space, index, text, memory)
    assert tuple(view) == tuple(texts)


def shared(*texts: str, max_length: int = 16) -> tuple[Any, Any, ObservationText]:
    space = ObservationText(max_length)
    memory = create_shared_memory(space, n=len(texts), ctx=multiprocessing)
    for index, text in enumerate(texts):
        write_to_shared_memory(space, index, text, memory)
    return read_from_shared_memory(space, memory, n=len(texts)), memory, space


def test_shared_texts_are_read_anew_and_their_copies_stay() -> None:
    view, memory, space = shared("one", "two", "three")
    kept = copy.deepcopy(view)
    write_to_shared_memory(space, 1, "2", memory)
    assert list(view) == ["one", "2", "three"]
    assert kept == ("one", "two", "three")
    assert type(kept) is tuple
    assert Tuple((space, space, space)).contains(kept)


def test_shared_texts_are_a_sequence() -> None:
    view, _, _ = shared("one", "two", "three")
    assert len(view) == 3
    assert (view[0], view[-1], view[1:], view[::-1]) == ("one", "three", ("two", "three"), ("three", "two", "one"))
    assert view == ("one", "two", "three")
    assert view != ("one", "two")
    assert view != "one"
    assert "two" in view
    assert repr(view) == "('one', 'two', 'three')"
    for index in (3, -4):
        with pytest.raises(IndexError, match=f"below 3, got {index}"):
            view[index]


def test_a_text_too_long_for_its_place_is_refused_and_spoils_no_other() -> None:
    view, memory, space = shared("a" * 16, "b" * 16)
    with pytest.raises(ValueError, match="at most 16 bytes, got 17"):
        write_to_shared_memory(space, 0, "c" * 17, memory)
    assert tuple(view) == ("a" * 16, "b" * 16)


def test_texts_in_a_dict_survive_shared_memory() -> None:
    space = Dict({"number": Discrete(5), "text": ObservationText(16)})
    memory = create_shared_memory(space, n=2, ctx=multiprocessing)
    view = read_from_shared_memory(space, memory, n=2)
    write_to_shared_memory(space, 0, {"number": 3, "text": "three"}, memory)
    write_to_shared_memory(space, 1, {"number": 4, "text": "four"}, memory)
    kept = copy.deepcopy(view)
    write_to_shared_memory(space, 0, {"number": 0, "text": "nought"}, memory)
    assert tuple(view["text"]) == ("nought", "four")
    assert kept["text"] == ("three", "four")
    assert kept["number"].tolist() == [3, 4]


@pytest.mark.parametrize("key", GAMES)
def test_no_state_has_a_text_outside_the_space(key: str) -> None:
    engine, space = get_engine(key), ObservationText()
    for state in edited_states(key, proof.count(5_000, 60), seed=11):
        scene = scene_of(engine, state, reveal=31)
        moment = Moment(scene, scene.action_mask)
        for way in ("both", "grid", "list"):
            assert get_writer(engine.spec, TextFormat(map=way)).write(moment) in space
