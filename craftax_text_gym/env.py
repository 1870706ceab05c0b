"""The environment: seeds, reset, step, render, snapshot. No prose, no JAX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from craftax_text_gym.availability import reasons
from craftax_text_gym.games import GameSpec
from craftax_text_gym.observation.moment import Moment
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.observation.snapshot import Snapshot
from craftax_text_gym.settings import RENDER_MODES, SEED_LIMIT, ObsMode, Settings, fold_seed
from craftax_text_gym.spaces import NamedDiscrete
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.writer import get_writer

Observation = str | NDArray[np.float32] | dict[str, Any]


class CraftaxTextEnv(gym.Env[Any, Any]):
    """Craftax or Craftax-Classic, observed as text and played by the names of its actions.

    ## Action Space
    `NamedDiscrete`: 43 actions in the full game, 17 in Classic. `step` takes a number of the space or a name.

    ## Observation Space
    `ObservationText`: what the official observation of the game shows, in words (`obs_mode="text"`). With
    `"symbolic"`, upstream's float32 vector; with `"both"`, a dict of `"text"` and `"symbolic"`.

    ## Rewards
    Craftax's own: what each achievement pays when it is first reached, plus 0.1 times the change in health.

    ## Starting State
    `reset(seed=s)` gives the world that Craftax gives for `jax.random.PRNGKey(s)`. Without a seed the world's seed
    is drawn from `np_random`; `info["episode_seed"]` replays the episode either way.

    ## Episode End
    `terminated`: the player died, or the boss is defeated; `info["end_reason"]` says which. `truncated` is never set
    here: caps are wrappers' (`gym.make` sets Craftax's own, 10,000 steps in Classic and 100,000 in the full game).

    ## Information
    The same keys and types at reset and at every step: `episode_seed` (int), `timestep` (int), `executed_action`
    (int: noop while asleep or resting; -1 at a reset), `achievements` (bool array), `new_achievements` (tuple of
    keys), `action_mask` (int8 array), `reward_achievements` (float), `reward_health` (float), `end_reason` (str).

    ## Arguments
    See `__init__`.

    ## Version History
    * v0: Initial version.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 5}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "full",
        *,
        text_format: str | Mapping[str, object] | TextFormat = "markdown",
        reveal: Iterable[str] = (),
        env_params: Mapping[str, object] | None = None,
        obs_mode: ObsMode = "text",
        render_mode: str | None = None,
    ) -> None:
        """Make the environment; no JAX starts before the first reset.

        Args:
            game: `"full"` or `"classic"`.
            text_format: A preset's name, a mapping of `TextFormat`'s fields, or a `TextFormat`.
            reveal: Facts to show that the official observation hides, of `"position"`, `"kills"`, `"mob_health"`,
                `"plant_age"`, `"potion_effects"`.
            env_params: Fields of Craftax's `EnvParams`, such as `{"always_diamond": True}`.
            obs_mode: `"text"`, `"symbolic"` or `"both"`.
            render_mode: None, `"ansi"` (the text) or `"rgb_array"` (uint8 `[H, W, 3]`, the game's own picture).

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If a name is unknown; the message has the nearest valid choices.
        """
        settings = Settings.check(game, text_format, reveal, env_params, obs_mode, render_mode)
        self.game: GameSpec = settings.game
        self.text_format = settings.text_format
        self.reveal = settings.reveal
        self.env_params = settings.env_params
        self.obs_mode = settings.obs_mode
        self.render_mode = settings.render_mode
        self.metadata = {**self.metadata, "render_modes": list(RENDER_MODES)}  # type: ignore[misc]
        self.action_space: NamedDiscrete = NamedDiscrete(self.game.actions)
        self.observation_space = settings.observation_space()
        self._writer = get_writer(self.game, self.text_format)
        self._reveal_bits = settings.reveal_bits
        self._params: Any = None
        self._arrays: Any = None
        self._moment: Moment | None = None
        self._episode_seed = 0

    # Gymnasium's methods

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Chooses the world, and seeds the worlds of later resets without a seed.
            options: Must be None or empty: there are none.

        Returns:
            The observation and the info.

        Raises:
            gymnasium.error.Error: If the seed is negative or no int.
            ValueError: If there is an option.
        """
        if options:
            raise ValueError(f"Expected no options: reset() takes none, got {options!r}.")
        super().reset(seed=seed)
        self._episode_seed = int(self.np_random.integers(SEED_LIMIT)) if seed is None else fold_seed(seed)
        engine = self._engine()
        if self._arrays is None:
            engine.prepare("reset", "step")
        self._arrays, buffer = engine.reset(self._episode_seed, self._params, self._reveal_bits)
        self._look(engine.to_bytes(buffer))
        return self._observation(), self._info()

    def step(self, action: int | np.integer[Any] | str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play one step.

        Args:
            action: A number of the action space, or a name.

        Returns:
            Observation, reward, terminated, truncated (always False), info.

        Raises:
            TypeError: If the action is neither an int nor a name.
            ValueError: If there is no such action.
            gymnasium.error.ResetNeeded: Before the first reset, and after the end of an episode.
        """
        index = self.action_space.resolve(action)
        before = self.scene
        if before.dead or before.boss_defeated:
            raise ResetNeeded("The episode is over: call reset() before the next step().")
        engine = self._engine()
        self._arrays, buffer = engine.step(self._arrays, index, self._episode_seed, self._params, self._reveal_bits)
        scene = self._look(engine.to_bytes(buffer), before, index)
        return self._observation(), scene.reward, scene.dead or scene.boss_defeated, False, self._info()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The observation as text, or the game's picture, by `render_mode`.

        Returns:
            str for `"ansi"`; uint8 `[H, W, 3]` for `"rgb_array"`; None without a render mode.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        if self.render_mode is None:
            gym.logger.warn(
                "You are calling render method without specifying any render mode. "
                'Pass render_mode="ansi" or render_mode="rgb_array" to gym.make.'
            )
            return None
        if self.render_mode == "ansi":
            return self._text()
        from craftax_text_gym.rendering import frames

        return frames.render(self.scene)

    def close(self) -> None:
        """Free the game; a later reset begins anew."""
        self._arrays = None
        self._moment = None

    # Beyond Gymnasium's

    @property
    def scene(self) -> Scene:
        """What the player saw in the last observation.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        return self._current().scene

    @property
    def state(self) -> Any:
        """Craftax's `EnvState`: a fresh, independent copy. Assigning an edited one replaces the game's.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
            ValueError: If what is assigned is not a state of this game.
        """
        self._current()
        return self._engine().to_state(self._arrays)

    @state.setter
    def state(self, state: Any) -> None:
        self._current()
        engine = self._engine()
        arrays = engine.from_state(state)
        self._look(engine.to_bytes(engine.look(arrays, self._params, self._reveal_bits)))
        self._arrays = arrays

    def explain(self, action: int | np.integer[Any] | str) -> str | None:
        """Why an action would do nothing now.

        Args:
            action: A number of the action space, or a name.

        Returns:
            None if it is available, else the reason in words.

        Raises:
            TypeError: If the action is neither an int nor a name.
            ValueError: If there is no such action.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        return reasons.explain(self.scene, self.action_space.resolve(action), params=self.env_params)

    def snapshot(self) -> Snapshot:
        """The game as it is now, to come back to.

        Returns:
            A picklable snapshot that shares nothing with the environment. The counters of wrappers are not in it:
            `copy.deepcopy` copies a whole stack.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        moment = self._current()
        return Snapshot(
            self.game.key,
            self._settings(),
            self._engine().copy(self._arrays),
            moment,
            self._episode_seed,
            self.np_random.bit_generator.state,
        )

    def restore(self, snapshot: Snapshot) -> tuple[Observation, dict[str, Any]]:
        """Come back to a snapshot, any number of times, in this environment or another like it.

        Args:
            snapshot: From `snapshot`.

        Returns:
            The observation and info of the snapshot's step.

        Raises:
            TypeError: If it is no snapshot.
            ValueError: If it was taken from another game, or with other `env_params` or `reveal`.
        """
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"Expected what snapshot() gave, got {type(snapshot).__name__}.")
        if (snapshot.game, snapshot.settings) != (self.game.key, self._settings()):
            raise ValueError(
                f"Expected a snapshot of {self.game.key!r} with env_params and reveal {self._settings()}, "
                f"got one of {snapshot.game!r} with {snapshot.settings}."
            )
        self._arrays = self._engine().enter(snapshot.arrays)
        self.np_random.bit_generator.state = snapshot.np_random_state
        self._episode_seed = snapshot.episode_seed
        self._moment = snapshot.moment
        return self._observation(), self._info()

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "_params": None, "_writer": None}
        if self._arrays is not None:
            state["_arrays"] = self._engine().copy(self._arrays)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._writer = get_writer(self.game, self.text_format)
        if self._arrays is not None:
            self._arrays = self._engine().enter(self._arrays)

    # Inside

    def _engine(self) -> Any:
        """The process's engine; its first use starts JAX."""
        from craftax_text_gym.engine.core import get_engine

        engine = get_engine(self.game.key)
        if self._params is None:
            self._params = engine.params(self.env_params)
        return engine

    def _settings(self) -> tuple[tuple[tuple[str, bool | int | float], ...], tuple[str, ...]]:
        return tuple(sorted(self.env_params.items())), self.reveal

    def _current(self) -> Moment:
        if self._moment is None:
            raise ResetNeeded("There is no game yet: call reset() first.")
        return self._moment

    def _look(self, data: bytes, before: Scene | None = None, action: int | None = None) -> Scene:
        scene = Scene(self.game, data)
        self._moment = Moment(scene, scene.action_mask, before, action, self.env_params)
        return scene

    def _text(self) -> str:
        return self._writer.write(self._current())

    def _observation(self) -> Observation:
        if self.obs_mode == "text":
            return self._text()
        symbolic: NDArray[np.float32] = self._engine().symbolic(self._arrays)
        return symbolic if self.obs_mode == "symbolic" else {"text": self._text(), "symbolic": symbolic}

    def _info(self) -> dict[str, Any]:
        moment = self._current()
        scene = moment.scene
        return {
            "episode_seed": self._episode_seed,
            "timestep": scene.timestep,
            "executed_action": scene.executed_action,
            "achievements": np.frombuffer(scene.field("achievements"), bool).copy(),
            "new_achievements": scene.new_achievements,
            "action_mask": moment.action_mask.copy(),
            "reward_achievements": scene.reward_achievements,
            "reward_health": scene.reward_health,
            "end_reason": "death" if scene.dead else "boss_defeated" if scene.boss_defeated else "",
        }
