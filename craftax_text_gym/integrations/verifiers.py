"""A taskset and an environment for verifiers (v1), which loads them under the name `craftax_text_verifiers`.

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
    """The settings of the games.

    Attributes:
        game: `"full"` or `"classic"`.
        first_seed: The seed of the first task's world; the others count up from it.
        text_format: The format of observations: the name of a preset.
        max_steps: The cap on steps per episode.
        max_decisions: The cap on replies per episode; None for the number of steps.
        max_actions: The maximum number of actions per reply.
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
        seed: The seed of the world.
        settings: The arguments of its `TextSession`.
    """

    seed: int
    settings: dict[str, str | int | None]


class CraftaxTextTask(vf.Task[CraftaxTextData, vf.State, vf.TaskConfig]):
    """The task of playing one world."""


class CraftaxTextTaskset(vf.Taskset[CraftaxTextTask, CraftaxTextConfig]):
    """An infinite sequence of worlds of one game."""

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
    """The settings of the player.

    Attributes:
        player: The agent; by default a plain conversation, which runs no code and needs no container.
    """

    player: vf.AgentConfig = vf.AgentConfig(harness=NullHarnessConfig(id="null"), runtime=vf.SubprocessConfig())


class CraftaxTextEnv(vf.Env[CraftaxTextEnvConfig]):
    """One agent that plays one world."""

    async def run(self, task: CraftaxTextTask, agents: vf.Agents) -> None:
        """Play an episode. The trace gets the total reward, and the other numbers of the score as metrics.

        Args:
            task: The task.
            agents: The agents, of which `player` plays.
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
