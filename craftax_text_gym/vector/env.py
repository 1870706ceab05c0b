"""The vector environment: many games, in a few compiled batches that are computed while texts are written."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, NoReturn

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from craftax_text_gym.games import GameSpec
from craftax_text_gym.observation.scene import Scene
from craftax_text_gym.settings import RENDER_MODES, ObsMode, Settings
from craftax_text_gym.spaces import NamedDiscrete
from craftax_text_gym.text import TextFormat
from craftax_text_gym.vector import arguments
from craftax_text_gym.vector.chunk import Chunk, World
from craftax_text_gym.vector.infos import infos_of
from craftax_text_gym.vector.seeds import EpisodeSeeds
from craftax_text_gym.vector.views import Views

CPU_CHUNK_SIZE = 32
"""Games in a batch, by default, on a CPU: their states fit its cache. On a GPU or TPU a device has one batch."""

_OF_EACH_GAME = {"scene": "scenes", "np_random": "np_random", "np_random_seed": "np_random_seed"}
"""Attributes of a single environment -> that which holds them for each game."""
_OF_ALL_GAMES = {"action_space": "single_action_space", "observation_space": "single_observation_space"}
"""Likewise, where one value is that of every game."""


class _Running(NamedTuple):
    """A step of a chunk that has been begun.

    Attributes:
        chunk: The chunk.
        rows: Its packed rows, on the device.
        begun: Game of the chunk -> the world that takes its place in this step.
        symbolic: The symbolic observations, on the device, where they are wanted.
    """

    chunk: Chunk
    rows: Any
    begun: Mapping[int, World]
    symbolic: Any


class _Final(NamedTuple):
    """What a game showed when it ended, where another followed in the same step.

    Attributes:
        row: Its packed row.
        observation: In the environment's mode.
    """

    row: np.void
    observation: Any


class CraftaxTextVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games of Craftax or Craftax-Classic, observed as text: what `gym.make_vec` makes.

    Its observations, rewards, flags and infos are those of as many `CraftaxTextEnv`, batched as Gymnasium's
    `SyncVectorEnv` batches them: a tuple of str (or float32 `[num_envs, …]`, or a dict of both), float64 and bool
    `[num_envs]`, a dict of arrays. A world is made only for a game that has ended.

    Attributes:
        game: The game.
        scenes: What each player saw in the last observation.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 5}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "full",
        *,
        num_envs: int = 1,
        text_format: str | Mapping[str, object] | TextFormat = "markdown",
        reveal: Iterable[str] = (),
        env_params: Mapping[str, object] | None = None,
        obs_mode: ObsMode = "text",
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        chunk_size: int | None = None,
        num_threads: int | None = None,
    ) -> None:
        """Make the environment; no JAX starts before the first reset.

        Args:
            game: `"full"` or `"classic"`.
            num_envs: The number of games.
            text_format: As `CraftaxTextEnv`'s, and so are the next four.
            reveal: See there.
            env_params: See there.
            obs_mode: See there.
            render_mode: See there; `render` gives one picture or text for each game.
            autoreset_mode: `"NextStep"`, `"SameStep"` or `"Disabled"`, or Gymnasium's `AutoresetMode`.
            max_episode_steps: The step at which an episode is truncated; None for Craftax's own cap, -1 for no cap.
            chunk_size: The most games in one compiled batch; None for 32 on a CPU, and for an equal share for each
                device elsewhere. They are split evenly, so that all batches have one size.
            num_threads: How many batches JAX has under way at the same time, in threads of its own; None for all.

        Raises:
            TypeError: If an argument is of the wrong type.
            ValueError: If a name is unknown, or a number out of range.
        """
        settings = Settings.check(game, text_format, reveal, env_params, obs_mode, render_mode)
        self.num_envs = arguments.check_count("num_envs", num_envs)
        self.chunk_size = None if chunk_size is None else arguments.check_count("chunk_size", chunk_size)
        self.num_threads = None if num_threads is None else arguments.check_count("num_threads", num_threads)
        self.game: GameSpec = settings.game
        self.text_format = settings.text_format
        self.reveal = settings.reveal
        self.env_params = settings.env_params
        self.obs_mode = settings.obs_mode
        self.render_mode = settings.render_mode
        self.autoreset_mode = arguments.check_autoreset_mode(autoreset_mode)
        self.max_episode_steps = arguments.check_cap(max_episode_steps, self.game)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self.single_action_space: NamedDiscrete = NamedDiscrete(self.game.actions)
        self.single_observation_space = settings.observation_space()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._settings = settings
        self._seeds = EpisodeSeeds(self.num_envs)
        self._views: Views | None = None
        self._chunks: list[Chunk] = []
        self._pending: dict[int, World] = {}
        self._engine: Any = None
        self._episode_seeds = np.zeros(self.num_envs, np.uint32)
        self._ended = np.zeros(self.num_envs, bool)

    # Gymnasium's methods

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the episodes of all games, or of some.

        Args:
            seed: None; an int, for `seed`, `seed + 1` and so on; or one of either for each game.
            options: None, or `{"reset_mask": mask}` with a bool array `[num_envs]` of the games to begin anew.

        Returns:
            The observations of all games, and the infos of those that were reset.

        Raises:
            gymnasium.error.Error: If a seed is negative or no int.
            TypeError: If the mask is no bool array.
            ValueError: If a length or shape is wrong, the mask is empty, or there is another option.
        """
        mask = arguments.check_mask(options, self.num_envs)
        seeds = arguments.check_seeds(seed, self.num_envs)
        if self._views is None and not mask.all():
            raise ResetNeeded("There are no games yet: call reset() for all of them first.")
        with self._all_or_none():
            return self._begin(mask, seeds)

    def step(
        self, actions: Sequence[int | str] | NDArray[Any]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one step of every game.

        Args:
            actions: One for each game, numbers or names. In `NEXT_STEP` a game that has ended begins anew instead.

        Returns:
            Observations, rewards float64 `[num_envs]`, terminated and truncated bool `[num_envs]`, infos.

        Raises:
            TypeError: If an action is neither an int nor a name.
            ValueError: If there is no such action, or not one for each game.
            gymnasium.error.ResetNeeded: Before the first reset, and with autoreset disabled after the end of a game.
        """
        if self._views is None:
            raise ResetNeeded("There are no games yet: call reset() before the first step().")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise ResetNeeded(
                f"The games {np.flatnonzero(self._ended).tolist()} are over: call "
                'reset(options={"reset_mask": mask}) for them before the next step().'
            )
        numbers = self._numbers(actions)
        with self._all_or_none():
            return self._play(self._views, numbers)

    def render(self) -> tuple[Any, ...] | None:
        """Every game as text or picture, by `render_mode`.

        Returns:
            A tuple of str for `"ansi"`, of uint8 `[H, W, 3]` for `"rgb_array"`; None without a render mode.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        if self.render_mode is None:
            gym.logger.warn(
                "You are calling render method without specifying any render mode. "
                'Pass render_mode="ansi" or render_mode="rgb_array" to gym.make_vec.'
            )
            return None
        scenes = self.scenes
        if self.render_mode == "ansi":
            assert self._views is not None
            return self._views.texts()
        from craftax_text_gym.rendering import frames

        return tuple(frames.render(scene) for scene in scenes)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002
        """Free the games."""
        self._views, self._chunks, self._pending = None, [], {}

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generator of each game's worlds."""
        return self._seeds.generators

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each game's generator."""
        return self._seeds.origins

    # Beyond Gymnasium's

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """What each player saw in the last observation.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        if self._views is None:
            raise ResetNeeded("There are no games yet: call reset() first.")
        return self._views.scenes

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of each game, as Gymnasium's other vector environments give it.

        Args:
            name: The name of an attribute that a single environment has: `"scene"`, say, or `"text_format"`.

        Returns:
            Its value for each game.

        Raises:
            AttributeError: If there is none of that name.
        """
        if name in _OF_EACH_GAME:
            values: tuple[Any, ...] = getattr(self, _OF_EACH_GAME[name])
            return values
        return (getattr(self, _OF_ALL_GAMES.get(name, name)),) * self.num_envs

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "Expected a single environment to copy or pickle, got a vector environment, whose games lie in compiled "
            "batches: make another with gym.make_vec and reset it with the same seeds."
        )

    # Inside

    def _start(self) -> None:
        """Make the batches, at the first reset."""
        if self._chunks:
            return
        from craftax_text_gym.engine.batch import Batch
        from craftax_text_gym.engine.core import get_engine

        self._engine = engine = get_engine(self.game.key)
        self._params = engine.params(self.env_params)
        devices = engine.devices
        default = CPU_CHUNK_SIZE if devices[0].platform == "cpu" else -(-self.num_envs // len(devices))
        num_chunks = -(-self.num_envs // (self.chunk_size or default))
        size = -(-self.num_envs // num_chunks)
        for number, start in enumerate(range(0, self.num_envs, size)):
            batch = Batch(engine, size, self._params, devices[number % len(devices)])
            stop = min(start + size, self.num_envs)
            self._chunks.append(Chunk(batch, start, stop, size, self._settings.reveal_bits))

    @contextlib.contextmanager
    def _all_or_none(self) -> Iterator[None]:
        """Free the games where this fails, for some have moved on and some have not: a reset makes them whole."""
        try:
            yield
        except BaseException:
            self.close_extras()
            raise

    def _world(self, game: int, seed: int | None = None) -> World:
        """Start generating the world of a game's next episode, from a new seed or from its generator."""
        episode_seed = self._seeds.next(game, seed)
        return World(episode_seed, *self._engine.reset(episode_seed, self._params, self._settings.reveal_bits))

    def _next_world(self, game: int, seed: int | None) -> World:
        """The same, unless it was begun when the game ended."""
        coming = self._pending.pop(game, None)
        return self._world(game, seed) if coming is None or seed is not None else coming

    def _begin(self, mask: NDArray[np.bool_], seeds: Sequence[int | None]) -> tuple[Any, dict[str, Any]]:
        self._start()
        views = self._views = self._views or Views(self._settings, self.num_envs)
        rows = np.zeros(self.num_envs, self._engine.dtype)
        begun: list[tuple[Chunk, dict[int, World]]] = []
        for chunk in self._chunks:
            games = (np.flatnonzero(mask[chunk.start : chunk.stop]) + chunk.start).tolist()
            worlds = {game - chunk.start: self._next_world(game, seeds[game]) for game in games}
            chunk.begin(worlds)
            begun.append((chunk, {game: world._replace(arrays=None) for game, world in worlds.items()}))
        for chunk, worlds in begun:
            self._look_at_worlds(views, chunk, worlds, rows)
            if worlds:
                self._keep_symbolic(views, chunk, self._symbolic(chunk))
        self._ended &= ~mask
        return views.observation(), infos_of(self.game, rows, self._episode_seeds, mask)

    def _play(
        self, views: Views, numbers: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        rows, seeds, finals = (
            np.empty(self.num_envs, self._engine.dtype),
            self._episode_seeds.copy(),
            dict[int, _Final](),
        )
        for running in self._begin_steps(numbers):
            self._finish_step(views, running, numbers, rows, finals)
        last = rows.copy() if finals else rows  # what each game showed before it began anew in the same step
        for game, final in finals.items():
            last[game] = final.row
        terminated, truncated = self._ends(last)
        infos = infos_of(self.game, rows, self._episode_seeds, np.ones(self.num_envs, bool))
        if finals:
            observations, over = np.full(self.num_envs, None, object), terminated | truncated
            for game, final in finals.items():
                observations[game] = final.observation
            final_infos = infos_of(self.game, last, seeds, over)
            infos |= {
                "final_obs": observations,
                "_final_obs": over,
                "final_info": final_infos,
                "_final_info": over.copy(),
            }
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._ended = terminated | truncated
        return views.observation(), last["reward"].astype(np.float64), terminated, truncated, infos

    def _begin_steps(self, numbers: NDArray[np.int64]) -> Iterator[_Running]:
        """Start stepping the chunks, as many at a time as allowed, while the caller works on those that are yielded."""
        running = deque[_Running]()
        for chunk in self._chunks:
            if len(running) == self.num_threads:
                yield running.popleft()
            rows = chunk.step(numbers[chunk.start : chunk.stop])
            games = np.flatnonzero(self._ended[chunk.start : chunk.stop]).tolist()
            begun = {game: self._pending.pop(chunk.start + game) for game in games}
            chunk.begin(begun)
            running.append(_Running(chunk, rows, begun, self._symbolic(chunk)))
        yield from running

    def _finish_step(
        self,
        views: Views,
        running: _Running,
        numbers: NDArray[np.int64],
        rows: NDArray[np.void],
        finals: dict[int, _Final],
    ) -> None:
        """Take in what a chunk's games show, and start generating worlds for those that are over."""
        chunk, begun = running.chunk, running.begun
        part = rows[chunk.start : chunk.stop]
        part[:] = self._engine.read(running.rows)[: chunk.count]
        data, width = part.tobytes(), part.dtype.itemsize
        for game in range(chunk.count):
            if game not in begun:
                number, row = chunk.start + game, data[game * width : (game + 1) * width]
                views.look(number, row, int(numbers[number]))
        self._keep_symbolic(views, chunk, running.symbolic)
        over = [game for game in np.flatnonzero(np.logical_or(*self._ends(part))).tolist() if game not in begun]
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._pending |= {chunk.start + game: self._world(chunk.start + game) for game in over}
        elif self.autoreset_mode is AutoresetMode.SAME_STEP and over:
            for game in over:
                finals[chunk.start + game] = _Final(part[game].copy(), views.observation(chunk.start + game))
            begun = {game: self._world(chunk.start + game) for game in over}
            chunk.begin(begun)
            self._keep_symbolic(views, chunk, self._symbolic(chunk))
        self._look_at_worlds(views, chunk, begun, rows)

    def _look_at_worlds(self, views: Views, chunk: Chunk, worlds: Mapping[int, World], rows: NDArray[np.void]) -> None:
        """Take in what games show at their beginning."""
        for game, world in worlds.items():
            number, row = chunk.start + game, self._engine.to_bytes(world.buffer)
            rows[number] = np.frombuffer(row, rows.dtype)[0]
            self._episode_seeds[number] = world.seed
            views.look(number, row)

    def _symbolic(self, chunk: Chunk) -> Any:
        return None if self.obs_mode == "text" else chunk.symbolic()

    def _keep_symbolic(self, views: Views, chunk: Chunk, symbolic: Any) -> None:
        if symbolic is not None:
            views.keep_symbolic(slice(chunk.start, chunk.stop), np.asarray(symbolic)[: chunk.count])

    def _ends(self, rows: NDArray[np.void]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which games are over, and which have reached the cap: bool `[n]` each."""
        terminated = (rows["dead"] | rows["boss_defeated"]) != 0
        cap = self.max_episode_steps
        return terminated, np.zeros(len(rows), bool) if cap is None else rows["timestep"] >= cap

    def _numbers(self, actions: Sequence[int | str] | NDArray[Any]) -> NDArray[np.int64]:
        """The actions as numbers; those of games that begin anew do not matter."""
        if isinstance(actions, str) or not hasattr(actions, "__len__") or len(actions) != self.num_envs:
            raise ValueError(f"Expected one action for each of the {self.num_envs} games, got {actions!r}.")
        resolve = self.single_action_space.resolve
        given = actions.tolist() if isinstance(actions, np.ndarray) and actions.dtype.kind in "iu" else actions
        chosen = [0 if over else resolve(action) for action, over in zip(given, self._ended, strict=True)]
        return np.array(chosen, np.int64)
