from __future__ import annotations

from typing import Any

import pytest

from craftax_text_gym.session import TextSession
from tests.integrations.frameworks import require

skyrl_gym: Any = require("skyrl", "skyrl_gym")
from craftax_text_gym.integrations import skyrl  # noqa: E402

ROW = {"seed": 5, "max_turns": 4}


def make(config: Any = None, **row: Any) -> Any:
    skyrl.register()
    return skyrl_gym.make(skyrl.ENV_ID, env_config=config or {"game": "classic"}, extras=row)


def test_it_is_registered_once() -> None:
    skyrl.register()
    skyrl.register()
    assert isinstance(make(), skyrl_gym.Env)


def test_an_episode_through_its_own_interface() -> None:
    env = make(**ROW)
    session = TextSession("classic", max_decisions=4)
    messages, metadata = env.init([{"role": "user", "content": "Play."}])
    assert messages == [
        {"role": "system", "content": session.system_prompt},
        {"role": "user", "content": "Play."},
        {"role": "user", "content": session.reset(5)},
    ]
    assert metadata == {"seed": 5}
    for name in ("left", "fly", "<action>do</action>"):
        turn = session.act(name)
        output = env.step(name)
        assert output["observations"] == [{"role": "user", "content": turn.text}]
        assert (output["reward"], output["done"]) == (turn.reward, False)
        assert output["metadata"] == {"new_achievements": list(turn.info["new_achievements"])}
    last = env.step("noop")
    assert (last["observations"], last["done"]) == ([], True)
    session.act("noop")
    assert env.turns == env.max_turns == 4
    assert env.get_metrics() == session.score()
    assert type(env).aggregate_metrics([env.get_metrics()] * 2)["decisions"] == 4
    env.close()


def test_a_prompt_with_rules_keeps_them() -> None:
    prompt = [{"role": "system", "content": "My rules."}, {"role": "user", "content": "Play."}]
    messages, _ = make(**ROW).init(prompt)
    assert messages[:2] == prompt
    assert len(messages) == 3


def test_the_seed_may_lie_in_extra_info() -> None:
    assert make(extra_info={"seed": 7, "split": "train"}, max_turns=None).init([])[1] == {"seed": 7}
    one, other = (make().init([])[1]["seed"] for _ in range(2))
    assert one != other


def test_settings_may_be_omegaconfs() -> None:
    omegaconf = pytest.importorskip("omegaconf")
    env = make(omegaconf.OmegaConf.create({"game": "classic", "text_format": "compact", "max_actions": 3}), seed=1)
    session = TextSession("classic", text_format="compact", max_actions=3)
    assert env.init([])[0][-1]["content"] == session.reset(1)
    assert env.step("left, left, do")["observations"][0]["content"] == session.act("left, left, do").text


def test_wrong_settings_are_told() -> None:
    with pytest.raises(ValueError, match="markdown"):
        make({"game": "classic", "text_format": "markdwn"})
