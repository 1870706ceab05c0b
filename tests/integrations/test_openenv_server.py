from __future__ import annotations

import asyncio
import json
import socket
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from craftax_text_gym.session import TextSession
from tests.integrations import servers
from tests.integrations.frameworks import require

openenv: Any = require("openenv", "openenv.core")
from websockets.asyncio.client import connect  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:openenv.*")
NAMES = ("left", "do", "fly", "up", "<action>right</action>", "noop")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with servers.serve("openenv", "--game", "classic", "--max-steps", "8", "--max-games", "4") as port:
        yield port


def client(port: int) -> Any:
    return openenv.GenericEnvClient(base_url=f"http://127.0.0.1:{port}")


async def play(env: Any, seed: int, names: tuple[str, ...] = NAMES) -> list[Any]:
    """Everything that a client gets in an episode."""
    result = await env.reset(seed=seed)
    seen: list[Any] = [(result.observation["text"], 0.0, result.done, [], False)]
    for name in names:
        result = await env.step({"action": name})
        observation = result.observation
        seen.append(
            (observation["text"], result.reward, result.done, observation["achievements"], observation["invalid_reply"])
        )
        await asyncio.sleep(0)
    return seen


def expected(seed: int, names: tuple[str, ...] = NAMES) -> tuple[list[Any], TextSession]:
    session = TextSession("classic", max_steps=8)
    seen: list[Any] = [(session.reset(seed), 0.0, False, [], False)]
    for name in names:
        turn = session.act(name)
        unlocked = list(session.record().achievements)
        seen.append((turn.text, turn.reward, turn.done, unlocked, turn.info["invalid_reply"]))
    return seen, session


def test_clients_at_once_play_their_own_games(port: int) -> None:
    async def run() -> list[Any]:
        async with client(port) as one, client(port) as two, client(port) as three:
            return list(await asyncio.gather(play(one, 1), play(two, 2), play(three, 1)))

    games = asyncio.run(run())
    assert games == [expected(seed)[0] for seed in (1, 2, 1)]


def test_the_state_is_the_connections_own(port: int) -> None:
    async def run() -> tuple[Any, Any, Any]:
        async with client(port) as one, client(port) as two:
            await one.reset(seed=5, episode_id="mine")
            await one.step({"action": "left"})
            before = await two.state()
            await two.reset(seed=6)
            return await one.state(), before, await two.state()

    mine, before, other = asyncio.run(run())
    _, session = expected(5, ("left",))
    assert (mine["episode_id"], mine["step_count"], mine["seed"], mine["score"]) == ("mine", 1, 5, session.score())
    assert (before["seed"], before["score"], before["game"]) == (None, {}, "classic")
    assert (other["episode_id"], other["seed"], other["step_count"]) == (None, 6, 0)


def test_an_episode_ends_at_the_cap_and_another_may_begin(port: int) -> None:
    async def run() -> Any:
        async with client(port) as env:
            seen = await play(env, 1, ("noop",) * 8)
            with pytest.raises(Exception, match="episode is over"):
                await env.step({"action": "noop"})
            return seen, await play(env, 2)

    first, second = asyncio.run(run())
    assert first == expected(1, ("noop",) * 8)[0]
    assert first[-1][2]
    assert second == expected(2)[0]


def test_games_are_limited_and_a_client_that_vanishes_frees_its_own(port: int) -> None:
    async def run() -> None:
        wires = [await connect(f"ws://127.0.0.1:{port}/ws") for _ in range(4)]
        for wire in wires:  # the server answers when the game is there
            await ask(wire, {"type": "state"})
        refused = await connect(f"ws://127.0.0.1:{port}/ws")
        assert json.loads(await refused.recv())["data"]["code"] == "CAPACITY_REACHED"
        wires[0].transport.abort()  # no goodbye
        for _ in range(100):
            async with connect(f"ws://127.0.0.1:{port}/ws") as late:
                answer = await ask(late, {"type": "reset", "data": {"seed": 3}})
                if answer["type"] == "observation":
                    assert answer["data"]["observation"]["text"] == expected(3)[0][0][0]
                    break
            await asyncio.sleep(0.1)
        else:
            raise AssertionError("The room was not freed.")
        for wire in [*wires[1:], refused]:
            await wire.close()

    asyncio.run(run())


async def ask(wire: Any, message: dict[str, Any]) -> Any:
    try:
        await wire.send(json.dumps(message))
        return json.loads(await wire.recv())
    except ConnectionClosed:
        return {"type": "closed"}


@pytest.mark.parametrize(
    "message",
    [
        "no JSON",
        '{"type": "step", "data": {"action": "left", "game": "other"}}',
        '{"type": "step", "data": {"action": 5}}',
        '{"type": "step", "data": {"action": "' + "x" * 5000 + '"}}',
        '{"type": "reset", "data": {"seed": -1}}',
        '{"type": "reset", "data": {"seed": "__import__(\'os\')"}}',
        '{"type": "exec", "data": {}}',
    ],
)
def test_bad_messages_are_answered_and_change_nothing(port: int, message: str) -> None:
    async def run() -> tuple[Any, list[Any]]:
        async with connect(f"ws://127.0.0.1:{port}/ws") as wire:
            await ask(wire, {"type": "reset", "data": {"seed": 1}})
            await wire.send(message)
            answer = json.loads(await wire.recv())
            after = await ask(wire, {"type": "step", "data": {"action": "left"}})
            return answer, after["data"]["observation"]["text"]

    answer, text = asyncio.run(run())
    assert answer["type"] == "error"
    assert text == expected(1, ("left",))[0][1][0]


def test_messages_that_are_too_large_are_not_read(port: int) -> None:
    async def run() -> None:
        async with connect(f"ws://127.0.0.1:{port}/ws") as wire:
            await wire.send("x" * 70_000)
            with pytest.raises(ConnectionClosed) as closed:
                await wire.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009

    asyncio.run(run())
    assert status(port, "Content-Length: 70000") == 413
    assert status(port, "Transfer-Encoding: chunked") == 411
    assert status(port, "Content-Length: 11", '{"seed": 1}') == 200


def status(port: int, header: str, body: str = "") -> int:
    """The status with which a request is answered, before or after its body is sent."""
    request = f"POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{header}\r\n\r\n{body}"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request.encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_a_client_finds_out_what_it_talks_to(port: int) -> None:
    def get(path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}") as response:
            return json.load(response)

    schema = get("schema")
    assert [name for name, field in schema["action"]["properties"].items() if name in schema["action"]["required"]] == [
        "action"
    ]
    assert {"text", "reward", "done", "achievements"} <= set(schema["observation"]["properties"])
    assert {"score", "seed", "game"} <= set(schema["state"]["properties"])
    assert get("metadata")["readme_content"] == TextSession("classic", max_steps=8).system_prompt
    assert get("health")["status"] == "healthy"


def test_a_game_that_nobody_plays_is_closed() -> None:
    async def run(port: int) -> Any:
        async with connect(f"ws://127.0.0.1:{port}/ws") as wire:
            await ask(wire, {"type": "reset", "data": {"seed": 1}})
            await asyncio.sleep(8)  # OpenEnv looks every five seconds
            step = await ask(wire, {"type": "step", "data": {"action": "left"}})
            again = await ask(wire, {"type": "reset", "data": {"seed": 1}})
            async with connect(f"ws://127.0.0.1:{port}/ws") as other:
                return step, again, await ask(other, {"type": "reset", "data": {"seed": 1}})

    arguments = ("openenv", "--game", "classic", "--max-games", "1", "--idle-minutes", "0.01")
    with servers.serve(*arguments) as port:
        step, again, other = asyncio.run(run(port))
    assert step["type"] == again["type"] == "error"
    assert "connect again" in again["data"]["message"]
    assert other["type"] == "observation"
