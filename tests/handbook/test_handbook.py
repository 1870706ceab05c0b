"""The manual and the instructions: whole, short enough, without secrets, and true to the formats.

That each rule is true is tested in `tests/handbook`.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import craftax_text_gym as ctg
from craftax_text_gym import handbook
from craftax_text_gym.engine.core import get_engine
from craftax_text_gym.games import ALL, CLASSIC, FULL
from craftax_text_gym.games.spec import GameSpec
from craftax_text_gym.handbook import TOPICS, rules_of, short, topics_of
from craftax_text_gym.handbook.rule import UNUSED
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.replies.parsing import parse_actions
from craftax_text_gym.text import PRESETS, TextFormat
from craftax_text_gym.text.loading import load_section
from craftax_text_gym.text.writer import get_writer
from tests.handbook.test_rules import numbers
from tests.subprocesses import run
from tests.worlds import edited_states, scene_of

GOLDEN = Path(__file__).parents[1] / "golden"
MOST_TOKENS = 700
FORMATS = {
    **PRESETS,
    "grid north": TextFormat(map="grid", directions="north"),
    "list near": TextFormat(map="list", radius=2, absent=True),
    "no map": TextFormat(map="none", sections=("status", "achievements", "map")),
    "terse xml": TextFormat(markup="xml", terse=True),
}

by_game = pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.key)
by_format = pytest.mark.parametrize("name", FORMATS)


def approve(name: str, text: str) -> None:
    """Compare a text with the approved one; `APPROVE=1` writes it anew."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("APPROVE"):
        path.write_text(f"{text}\n")
    assert f"{text}\n" == path.read_text()


def tokens(text: str) -> int:
    """How many tokens of o200k_base a text has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its own, at import
        import bpe_openai
    return len(bpe_openai.get_encoding("o200k_base").encode(text))


@by_game
class TestManual:
    @pytest.mark.parametrize("detail", ["whole", "short"])
    def test_is_the_approved_one(self, spec: GameSpec, detail: str) -> None:
        approve(f"manual_{spec.key}_{detail}", ctg.manual(spec, detail=detail))

    def test_the_short_form_fits_into_a_prompt(self, spec: GameSpec) -> None:
        assert 300 < tokens(ctg.manual(spec, detail="short")) <= MOST_TOKENS

    def test_the_short_form_says_nothing_that_no_play_has_shown(self, spec: GameSpec) -> None:
        texts = {rule.key: rule.text for rule in rules_of(spec)}
        for line in short.lines(spec):
            shown = [number for key in line.rules for number in numbers(f"{texts[key]} {key}")]
            assert set(numbers(line.text)) <= set(shown), line.text

    def test_names_every_action_creature_block_and_achievement(self, spec: GameSpec) -> None:
        whole = ctg.manual(spec)
        spelled = [action for action in spec.actions if not action.startswith("drink_potion_")]
        blocks = [block.label for block in spec.blocks if block.name not in UNUSED | {"out_of_bounds"}]
        blocks = [label for label in blocks if label != "vulnerable necromancer"]
        labels = [achievement.label for achievement in spec.achievements]
        for name in (*spelled, *(mob.label for mob in spec.mobs), *blocks, *labels):
            assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", whole), name

    def test_is_the_sum_of_its_topics(self, spec: GameSpec) -> None:
        whole = ctg.manual(spec)
        parts = [ctg.manual(spec, detail=topic) for topic in topics_of(spec)]
        assert whole.endswith("\n\n".join(parts))
        assert sum(part.count("\n- ") for part in parts) == len(rules_of(spec))

    def test_says_nothing_that_the_game_hides(self, spec: GameSpec) -> None:
        whole = ctg.manual(spec)
        secrets = [*spec.potions, "random key", "seed", "counter", "timer", "cooldown", "type_id", "mask"]
        assert not [secret for secret in secrets if re.search(rf"\b{secret}\b", whole)]

    def test_every_name_of_the_game_will_do(self, spec: GameSpec) -> None:
        assert ctg.manual(spec.key) == ctg.manual(spec.env_id) == ctg.manual(spec)


class TestDisclosure:
    @pytest.mark.parametrize("floor", range(9))
    def test_floors_are_told_one_by_one(self, floor: int) -> None:
        told = set(re.findall(r"^- .*", ctg.manual("full", floor=floor), re.MULTILINE))
        new = set(re.findall(r"^- .*", ctg.manual("full", detail="floor", floor=floor), re.MULTILINE))
        before = set(re.findall(r"^- .*", ctg.manual("full", floor=floor - 1), re.MULTILINE)) if floor else set()
        assert told == before | new
        assert not before & new
        assert any(line.startswith(f"- Floor {floor},") for line in new)

    def test_the_last_floor_tells_all(self) -> None:
        assert ctg.manual("full", floor=8) == ctg.manual("full")
        assert ctg.manual("full", detail="short", floor=8) == ctg.manual("full", detail="short")

    @pytest.mark.parametrize("floor", range(8))
    def test_no_creature_of_a_deeper_floor_is_described(self, floor: int) -> None:
        told = ctg.manual("full", detail="creatures", floor=floor)
        deeper = {mob for below in FULL.floors[floor + 1 :] for mob in below.mobs}
        known = {mob for above in FULL.floors[: floor + 1] for mob in above.mobs}
        described = set(re.findall(r"^- ([a-z ]+):", told, re.MULTILINE))
        assert described == known
        assert not described & (deeper - known)

    def test_the_boss_is_a_secret_until_its_floor(self) -> None:
        for detail in ("short", "fighting", "floors"):
            told = ctg.manual("full", detail=detail, floor=7)
            assert "necromancer" not in told, detail

    def test_classic_has_one_floor(self) -> None:
        assert ctg.manual("classic", floor=0) == ctg.manual("classic")


class TestBadInput:
    def test_an_unknown_game(self) -> None:
        with pytest.raises(ValueError, match=r"Unknown game 'crafter'.*'full', 'classic'"):
            ctg.manual("crafter")
        with pytest.raises(ValueError, match="Unknown game"):
            ctg.instructions("crafter")

    def test_an_unknown_detail_names_the_closest(self) -> None:
        with pytest.raises(ValueError, match=r"Unknown detail 'craftin'.*crafting"):
            ctg.manual("full", detail="craftin")

    @pytest.mark.parametrize("topic", ["floors", "treasure", "magic", "attributes", "boss"])
    def test_classic_lacks_some_topics(self, topic: str) -> None:
        assert topic in TOPICS
        assert ctg.manual("full", detail=topic)
        with pytest.raises(ValueError, match=f"Unknown detail '{topic}' for Craftax-Classic"):
            ctg.manual("classic", detail=topic)

    @pytest.mark.parametrize(("game", "floor"), [("full", 9), ("full", -1), ("classic", 1)])
    def test_a_floor_that_there_is_not(self, game: str, floor: int) -> None:
        with pytest.raises(ValueError, match="Expected a floor from 0 to"):
            ctg.manual(game, floor=floor)

    @pytest.mark.parametrize("floor", ["2", 1.0, True])
    def test_a_floor_that_is_no_number(self, floor: Any) -> None:
        with pytest.raises(TypeError, match="Expected floor as an int or None"):
            ctg.manual("full", floor=floor)

    def test_one_floor_must_be_named(self) -> None:
        with pytest.raises(ValueError, match="Expected a floor with"):
            ctg.manual("full", detail="floor")

    def test_an_unknown_format(self) -> None:
        with pytest.raises(ValueError, match="Unknown text_format 'markdwon'"):
            ctg.instructions("full", "markdwon")
        with pytest.raises(TypeError, match="Expected text_format"):
            ctg.instructions("full", 3)  # type: ignore[arg-type]

    def test_no_actions(self) -> None:
        with pytest.raises(ValueError, match="Expected max_actions of at least 1, got 0"):
            ctg.instructions("full", max_actions=0)


def observations(spec: GameSpec, name: str) -> Iterator[str]:
    """Observations in a format that hold much."""
    engine, writer = get_engine(spec.key), get_writer(spec, FORMATS[name])
    for state in edited_states(spec.key, 25, seed=3):
        scene = scene_of(engine, state)
        mask = scene.action_mask
        yield writer.write(Moment(scene, mask, before=scene, action=0))


def legend(told: str) -> dict[str, str]:
    """Symbol -> words, as the instructions have them."""
    line = next((line for line in told.splitlines() if line.startswith("On the map: ")), "On the map: ")
    return dict(re.findall(r"(\S) ([a-z0-9() ]+?)(?:, (?=\S )|\.(?: |$))", line.removeprefix("On the map: ")))


@by_game
class TestInstructions:
    @pytest.mark.parametrize("name", PRESETS)
    def test_are_the_approved_ones(self, spec: GameSpec, name: str) -> None:
        approve(f"instructions_{spec.key}_{name}", ctg.instructions(spec, name))

    @by_format
    def test_name_every_part_of_an_observation(self, spec: GameSpec, name: str) -> None:
        told, chosen = ctg.instructions(spec, FORMATS[name]), FORMATS[name]
        for text in observations(spec, name):
            if chosen.markup == "json":
                parts = [f'"{key}": ' for key in json.loads(text)]
            elif chosen.markup == "xml":
                parts = [f"{tag}: " for tag in re.findall(r"^<[a-z]+>", text, re.MULTILINE)[1:]]
            elif chosen.markup == "markdown":
                parts = [f"{line}: " for line in re.findall(r"^## .*", text, re.MULTILINE)]
            else:
                titles = [load_section(section).title for section in chosen.sections]
                parts = [f"- {title}: " for title in titles if title and f"{title}:\n" in text]
            places = [told.find(part) for part in parts]
            assert -1 not in places, (parts, told)
            assert places == sorted(places)

    @by_format
    def test_explain_every_character_of_a_map(self, spec: GameSpec, name: str) -> None:
        told, shows = legend(ctg.instructions(spec, FORMATS[name])), FORMATS[name].map in ("both", "grid")
        if not shows or "map" not in FORMATS[name].sections:
            assert not told
            return
        for text in observations(spec, name):
            if FORMATS[name].markup == "json":
                for symbol, words in json.loads(text)["map"]["legend"].items():
                    assert words in UNUSED or told[symbol] == words
            elif FORMATS[name].markup == "markdown" and not FORMATS[name].terse:
                grid = set("".join(text.split("```")[1].split()))
                assert grid <= set(told) | {block.symbol for block in spec.blocks if block.name in UNUSED}

    @by_format
    def test_list_the_actions_and_give_replies_that_are_read(self, spec: GameSpec, name: str) -> None:
        told = ctg.instructions(spec, FORMATS[name])
        listed = re.search(r"^The actions are: (.*)\.$", told, re.MULTILINE)
        assert listed
        assert tuple(listed[1].split(", ")) == spec.actions
        replies = re.findall(r"(<action>.*?</action>)", told)
        assert [parse_actions(reply, spec).names for reply in replies] == [("left",), ("left", "left", "left", "do")]
        assert parse_actions("left", spec).names == ("left",)
        most = re.search(r"at most (\d+), are", told)
        assert most
        assert parse_actions(f"do*{most[1]}", spec).valid
        assert not parse_actions(f"do*{int(most[1]) + 1}", spec).valid

    def test_a_single_action(self, spec: GameSpec) -> None:
        told = ctg.instructions(spec, max_actions=1)
        assert "Only one action at a time." in told
        assert "left*3" not in told

    def test_the_words_for_directions_are_those_of_the_format(self, spec: GameSpec) -> None:
        assert "2 north 1 east" in ctg.instructions(spec, "balrog")
        assert "2 up 1 right" in ctg.instructions(spec, "markdown")
        assert "[-2,1]" in ctg.instructions(spec, "json")

    def test_a_terse_format_is_told_its_maxima(self, spec: GameSpec) -> None:
        told = ctg.instructions(spec, "compact")
        assert ("mana 6 + 3 x intelligence" in told) == (spec is FULL)
        assert ("each at most 9" in told) == (spec is CLASSIC)
        assert "6 + 3 x" not in ctg.instructions(spec, "markdown")

    def test_say_how_far_a_list_reaches(self, spec: GameSpec) -> None:
        assert "up to 2 rows and columns away" in ctg.instructions(spec, FORMATS["list near"])

    def test_a_part_of_the_users_own(self, spec: GameSpec) -> None:
        own = TextFormat(sections=("status", "craftax_text_gym.text.sections.achievements:Achievements"))
        assert "a part of the user's own" in ctg.instructions(spec, own)

    def test_darkness_is_told_where_there_is_any(self, spec: GameSpec) -> None:
        assert ("darkness" in ctg.instructions(spec)) == (spec is FULL)


def test_no_jax_is_started() -> None:
    program = """
        import json, sys
        import craftax_text_gym as ctg
        texts = [ctg.manual(game) + ctg.instructions(game, "json") for game in ("full", "classic")]
        print(json.dumps([len(texts), "jax" in sys.modules or "craftax" in sys.modules]))
    """
    assert run(program) == [2, False]


def test_no_public_name_is_a_modules() -> None:
    assert not set(handbook.__all__) & {path.stem for path in Path(handbook.__file__).parent.glob("*.py")}
    assert ctg.manual is handbook.manual
    assert ctg.instructions is handbook.instructions
