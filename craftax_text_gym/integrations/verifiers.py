"""A taskset and an environment for verifiers (its v1); `craftax_text_verifiers` is the name under which it loads them.

To evaluate a model: `vf-eval craftax-text-verifiers --env.taskset.game classic …`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Literal

from craftax_text_gym.session import TextSession
from craftax_text_gym.utils.plugins import require_extra

with require_extra("verifiers"):
    import verifiers.v1 as vf
    from verifiers.v1.harnesses.null import NullHarnessConfig


class CraftaxTextConfig(vf.TasksetConfig):
    """What is played.

    Attributes:
        game: `"full"` or `"classic"`.
        first_seed: The seed of the first task's world; each further one has the next.
        text_format: How observations are written: a preset's name.
        max_steps: After how many steps of the game an episode ends.
        max_decisions: After how many replies an episode ends; None for as many as steps.
        max_actions: How many actions a reply may ask for.
    """

    game: Literal["full", "classic"] = "full"
    first_seed: int = 0
    text_format: str = "markdown"
    max_steps: int = 300
    max_decisions: int | None = None
    max_actions: int = 1


class CraftaxTextData(vf.TaskData):
    """One task: a world.

    Attributes:
        seed: Chooses it.
        settings: The arguments of the `TextSession` that it is played in.
    """

    seed: int
    settings: dict[str, str | int | None]


class CraftaxTextTask(vf.Task[CraftaxTextData, vf.State, vf.TaskConfig]):
    """One world to be played in."""


class CraftaxTextTaskset(vf.Taskset[CraftaxTextTask, CraftaxTextConfig]):
    """The worlds of one game, without end."""

    INFINITE = True

    def load(self) -> Iterator[CraftaxTextTask]:
        """Yield the tasks. No game is compiled: the first observation comes when a task is played."""
        config = self.config
        names = ("game", "text_format", "max_steps", "max_decisions", "max_actions")
        settings = {name: getattr(config, name) for name in names}
        rules = TextSession(**settings).system_prompt
        seed = config.first_seed
        while True:
            name = f"{config.game}-{seed}"
            data = CraftaxTextData(name=name, system_prompt=rules, seed=seed, settings=settings)
            yield CraftaxTextTask(data, config.task)
            seed += 1


class CraftaxTextEnvConfig(vf.EnvConfig):
    """Who plays.

    Attributes:
        player: The agent; by default a plain conversation, which executes nothing and needs no container.
    """

    player: vf.AgentConfig = vf.AgentConfig(harness=NullHarnessConfig(id="null"), runtime=vf.SubprocessConfig())


class CraftaxTextEnv(vf.Env[CraftaxTextEnvConfig]):
    """One agent that plays one world."""

    async def run(self, task: CraftaxTextTask, agents: vf.Agents) -> None:
        """Play an episode. The trace gets the summed reward, and the score's numbers as metrics.

        Args:
            task: The world.
            agents: Its `player` plays.
        """
        with TextSession(**task.data.settings) as session:
            text = await asyncio.to_thread(session.reset, task.data.seed)
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn(text)
                while not segment.terminated:
                    turn = await asyncio.to_thread(session.act, segment.last_reply)
                    if turn.done:
                        break
                    segment = await interaction.turn(turn.text)
            score = session.score()
            interaction.trace.info["end_reason"] = session.record().end_reason
        interaction.trace.record_reward("game_reward", score.pop("total_reward"))
        for name, value in score.items():
            interaction.trace.record_metric(name, value)
