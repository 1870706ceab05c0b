"""The vector environment: many games, in a few compiled batches that are stepped side by side."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from craftax_text_gym import vector_arguments as arguments
from craftax_text_gym.actions import availability
from craftax_text_gym.games import GameSpec
from craftax_text_gym.scene import Scene
from craftax_text_gym.settings import RENDER_MODES, SEED_LIMIT, ObsMode, Settings, fold_seed
from craftax_text_gym.spaces import NamedDiscrete
from craftax_text_gym.text import TextFormat
from craftax_text_gym.text.moment import Moment
from craftax_text_gym.text.writer import get_writer
from craftax_text_gym.vector_chunk import Chunk, Final, Played, World
from craftax_text_gym.vector_infos import infos_of

CPU_CHUNK_SIZE = 32
"""Games in a batch, by default, on a CPU: their states fit its cache. On a GPU or TPU a device has one batch."""


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
                device elsewhere. The games are dealt out so that all batches have one size.
            num_threads: How many batches are computed at the same time; None for one a processor.

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
        self._writer = get_writer(self.game, self.text_format)
        self._generators: list[np.random.Generator | None] = [None] * self.num_envs
        self._generator_seeds = [-1] * self.num_envs
        self._seeds = np.zeros(self.num_envs, np.uint32)
        self._ended = np.zeros(self.num_envs, bool)
        self._moments: list[Moment] = []
        self._texts: list[str] = [""] * self.num_envs
        self._symbolic: NDArray[np.float32] | None = None
        self._coming: dict[int, Future[World]] = {}
        self._chunks: list[Chunk] = []
        self._pool: ThreadPoolExecutor | None = None
        self._engine: Any = None

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
        if not self._moments and not mask.all():
            raise ResetNeeded("There are no games yet: call reset() for all of them first.")
        self._start()
        games = np.flatnonzero(mask).tolist()
        coming = {game: self._begin_world(game, seeds[game]) for game in games}
        worlds = {game: world.result() for game, world in coming.items()}
        for chunk in self._chunks:
            begun = {game - chunk.start: world for game, world in worlds.items() if chunk.start <= game < chunk.stop}
            if begun:
                self._keep_symbolic(chunk, chunk.begin(begun))
        rows = np.zeros(self.num_envs, self._engine.dtype)
        for game, world in worlds.items():
            rows[game], self._seeds[game] = np.frombuffer(world.row, rows.dtype)[0], world.seed
        masks = self._action_mask(rows)
        self._moments = self._moments or [None] * self.num_envs  # type: ignore[list-item]
        for game, world in worlds.items():
            self._look(game, world.row, masks[game])
        self._ended &= ~mask
        return self._observation(), infos_of(self.game, rows, self._seeds, masks, mask)

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
        if not self._chunks:
            raise ResetNeeded("There are no games yet: call reset() before the first step().")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise ResetNeeded(
                f"The games {np.flatnonzero(self._ended).tolist()} are over: call "
                'reset(options={"reset_mask": mask}) for them before the next step().'
            )
        numbers = self._numbers(actions)
        try:
            return self._play(numbers)
        except BaseException:
            self.close_extras()  # some games have moved on and some have not: only a reset makes them whole
            raise

    def _play(
        self, numbers: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        rows, seeds = np.empty(self.num_envs, self._engine.dtype), self._seeds.copy()
        final_obs, final_rows = np.full(self.num_envs, None, object), dict[int, bytes]()
        for chunk, future in [(chunk, self._submit(chunk, numbers)) for chunk in self._chunks]:
            played = future.result()
            rows[chunk.start : chunk.stop] = played.rows
            final_rows |= {chunk.start + game: final.row for game, final in played.finals.items()}
            self._take(chunk, played, numbers, final_obs)
        last_rows = rows.copy() if final_rows else rows
        for game, row in final_rows.items():
            last_rows[game] = np.frombuffer(row, rows.dtype)[0]
        terminated, truncated = self._ends(last_rows)
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._ended = terminated | truncated
        infos = infos_of(self.game, rows, self._seeds, self._action_mask(rows), np.ones(self.num_envs, bool))
        if final_rows:
            over = terminated | truncated
            final = infos_of(self.game, last_rows, seeds, self._action_mask(last_rows), over)
            infos |= {"final_obs": final_obs, "_final_obs": over, "final_info": final, "_final_info": over.copy()}
        return self._observation(), last_rows["reward"].astype(np.float64), terminated, truncated, infos

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
            return tuple(self._writer.write(moment) for moment in self._moments)
        from craftax_text_gym import frames

        return tuple(frames.render(scene) for scene in scenes)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002
        """Free the games and the threads."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool, self._chunks, self._moments, self._coming = None, [], [], {}
        self._ended = np.zeros(self.num_envs, bool)

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generator of each game's worlds."""
        return tuple(self._generator(game) for game in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each game's generator."""
        return tuple(self._generator_seeds[game] for game in range(self.num_envs) if self._generator(game))

    # Beyond Gymnasium's

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """What each player saw in the last observation.

        Raises:
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        if not self._moments:
            raise ResetNeeded("There are no games yet: call reset() first.")
        return tuple(moment.scene for moment in self._moments)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute that all games share, once for each, as Gymnasium's other vector environments give it.

        Args:
            name: The attribute's name.

        Returns:
            Its value, `num_envs` times.
        """
        return (getattr(self, name),) * self.num_envs

    # Inside

    def _start(self) -> None:
        """Make the batches and threads, at the first reset."""
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
            self._chunks.append(Chunk(batch, start, stop, size, self._settings.reveal_bits, self.obs_mode != "text"))
        self._pool = ThreadPoolExecutor(self.num_threads or _num_processors(), "craftax-text")

    def _begin_world(self, game: int, seed: int | None) -> Future[World]:
        """Have the world of a game's next episode made: by a new seed, or by its generator if there is none."""
        assert self._pool is not None
        if seed is not None:
            self._generators[game], self._generator_seeds[game] = np_random(seed)
            self._coming.pop(game, None)
        elif game in self._coming:
            return self._coming.pop(game)
        return self._pool.submit(self._world, self._next_seed(game) if seed is None else fold_seed(seed))

    def _world(self, seed: int) -> World:
        arrays, buffer = self._engine.reset(seed, self._params, self._settings.reveal_bits)
        return World(seed, arrays, self._engine.to_bytes(buffer))

    def _next_world(self, game: int) -> World:
        return self._world(self._next_seed(game))

    def _next_seed(self, game: int) -> int:
        return int(self._generator(game).integers(SEED_LIMIT))

    def _generator(self, game: int) -> np.random.Generator:
        generator = self._generators[game]
        if generator is None:
            generator, self._generator_seeds[game] = np_random()
            self._generators[game] = generator
        return generator

    def _submit(self, chunk: Chunk, numbers: NDArray[np.int64]) -> Future[Played]:
        """Have a chunk stepped; the worlds that it waits for were submitted before it, so they come."""
        assert self._pool is not None
        coming = {
            int(game): self._coming.pop(chunk.start + int(game))
            for game in np.flatnonzero(self._ended[chunk.start : chunk.stop])
        }
        next_world = self._next_world if self.autoreset_mode is AutoresetMode.SAME_STEP else None
        actions = numbers[chunk.start : chunk.stop]
        return self._pool.submit(chunk.step, actions, coming, self._engine.dtype, self._is_over, next_world)

    def _take(self, chunk: Chunk, played: Played, numbers: NDArray[np.int64], final_obs: NDArray[np.object_]) -> None:
        """Write the texts of a chunk while others are computed, and have the next worlds made meanwhile."""
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            for game in np.flatnonzero(self._is_over(played.rows)).tolist():
                self._coming[chunk.start + game] = self._begin_world(chunk.start + game, None)
        masks = self._action_mask(played.rows)
        data, width = played.rows.tobytes(), played.rows.dtype.itemsize
        for game in range(chunk.count):
            number = chunk.start + game
            if game in played.finals:
                final_obs[number] = self._last_observation(number, played.finals[game], int(numbers[number]))
            if game in played.begun:
                self._look(number, played.begun[game].row, masks[game])
                self._seeds[number] = played.begun[game].seed
            else:
                row = data[game * width : (game + 1) * width]
                self._look(number, row, masks[game], self._moments[number].scene, int(numbers[number]))
        self._keep_symbolic(chunk, played.symbolic)

    def _look(
        self, game: int, row: bytes, mask: NDArray[np.int8], before: Scene | None = None, action: int | None = None
    ) -> None:
        moment = Moment(Scene(self.game, row), mask, before, action, self.env_params)
        self._moments[game] = moment
        if self.obs_mode != "symbolic":
            self._texts[game] = self._writer.write(moment)

    def _last_observation(self, game: int, final: Final, action: int) -> Any:
        mask = self._action_mask(np.frombuffer(final.row, self._engine.dtype))[0]
        self._look(game, final.row, mask, self._moments[game].scene, action)
        return {
            "text": self._texts[game],
            "symbolic": final.symbolic,
            "both": {"text": self._texts[game], "symbolic": final.symbolic},
        }[self.obs_mode]

    def _observation(self) -> Any:
        texts, symbolic = tuple(self._texts), None if self._symbolic is None else self._symbolic.copy()
        return {"text": texts, "symbolic": symbolic, "both": {"text": texts, "symbolic": symbolic}}[self.obs_mode]

    def _keep_symbolic(self, chunk: Chunk, symbolic: NDArray[np.float32] | None) -> None:
        if symbolic is None:
            return
        if self._symbolic is None:
            self._symbolic = np.zeros((self.num_envs, symbolic.shape[1]), np.float32)
        self._symbolic[chunk.start : chunk.stop] = symbolic

    def _action_mask(self, rows: NDArray[np.void]) -> NDArray[np.int8]:
        if self._settings.has_usual_rules:
            mask: NDArray[np.int8] = rows["action_mask"]
            return mask
        return availability.action_mask(self.game, rows, params=self.env_params)

    def _ends(self, rows: NDArray[np.void]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which games are over, and which have reached the cap: bool `[n]` each."""
        terminated = (rows["dead"] | rows["boss_defeated"]) != 0
        cap = self.max_episode_steps
        return terminated, np.zeros(len(rows), bool) if cap is None else rows["timestep"] >= cap

    def _is_over(self, rows: NDArray[np.void]) -> NDArray[np.bool_]:
        return np.logical_or(*self._ends(rows))

    def _numbers(self, actions: Sequence[int | str] | NDArray[Any]) -> NDArray[np.int64]:
        """The actions as numbers; those of games that begin anew do not matter."""
        if isinstance(actions, str) or not hasattr(actions, "__len__") or len(actions) != self.num_envs:
            raise ValueError(f"Expected one action for each of the {self.num_envs} games, got {actions!r}.")
        resolve = self.single_action_space.resolve
        given = actions.tolist() if isinstance(actions, np.ndarray) and actions.dtype.kind in "iu" else actions
        chosen = [0 if over else resolve(action) for action, over in zip(given, self._ended, strict=True)]
        return np.array(chosen, np.int64)


def _num_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
