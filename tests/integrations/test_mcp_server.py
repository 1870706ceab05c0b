from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from craftax_text_gym import games
from craftax_text_gym.handbook import manual
from craftax_text_gym.session import TextSession
from tests.integrations import servers
from tests.integrations.frameworks import require

mcp: Any = require("mcp", "mcp")
import httpx2  # noqa: E402

NAMES = ("left", "do", "fly", "up", "<action>right</action>", "noop")
ARGUMENTS = ("mcp", "--game", "classic", "--max-steps", "8", "--max-games", "4")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with servers.serve(*ARGUMENTS, "--http") as port:
        yield port


def over_http(port: int, **options: Any) -> Any:
    return mcp.Client(f"http://127.0.0.1:{port}/mcp", **options)


def over_stdio(*arguments: str) -> Any:
    command = mcp.StdioServerParameters(
        command=servers.COMMAND, args=["serve", *(arguments or ARGUMENTS)], env=dict(os.environ)
    )
    return mcp.Client(command)


async def call(client: Any, tool: str, **arguments: Any) -> Any:
    """What a tool answers; what it cannot do is an AssertionError with its reason."""
    result = await client.call_tool(tool, arguments)
    text = "\n".join(block.text for block in result.content)
    assert not result.is_error, text
    return result.structured_content if result.structured_content is not None else text


async def start(client: Any, seed: int) -> Any:
    return await call(client, "start_game", seed=seed)


async def play(client: Any, seed: int, names: tuple[str, ...] = NAMES) -> list[Any]:
    """The texts and rewards that a client gets in an episode, which it then ends."""
    turn = await start(client, seed)
    game = turn["game"]
    assert turn["text"] == f"game: {game}\n\n{(await call(client, 'look', game=game))['text']}"
    seen = [(turn["text"].partition("\n\n")[2], turn["reward"], turn["done"], turn["achievements"])]
    for name in names:
        turn = await call(client, "act", game=game, action=name)
        seen.append((turn["text"], turn["reward"], turn["done"], turn["achievements"]))
    score = await call(client, "score", game=game)
    assert await call(client, "end_game", game=game) == score
    return [*seen, score]


def expected(seed: int, names: tuple[str, ...] = NAMES) -> list[Any]:
    session = TextSession("classic", max_steps=8)
    seen: list[Any] = [(session.reset(seed), 0.0, False, [])]
    for name in names:
        turn = session.act(name)
        seen.append((turn.text, turn.reward, turn.done, list(session.record().achievements)))
    return [*seen, session.score()]


def test_a_client_over_stdio_plays_two_games_at_once() -> None:
    async def run() -> Any:
        async with over_stdio() as client:
            return await asyncio.gather(play(client, 1), play(client, 2))

    assert asyncio.run(run()) == [expected(1), expected(2)]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_clients_at_once_over_http(port: int, mode: str) -> None:
    async def run() -> Any:
        async with over_http(port, mode=mode) as one, over_http(port, mode=mode) as two, over_http(port) as three:
            return await asyncio.gather(play(one, 1), play(two, 2), play(three, 1))

    assert asyncio.run(run()) == [expected(seed) for seed in (1, 2, 1)]


def test_the_tools_tell_a_model_what_it_needs(port: int) -> None:
    async def run() -> Any:
        async with over_http(port) as client:
            return (await client.list_tools()).tools, client.instructions, await call(client, "rules")

    tools, instructions, rules = asyncio.run(run())
    by_name = {tool.name: tool for tool in tools}
    assert set(by_name) == {"start_game", "act", "look", "score", "end_game", "rules"}
    assert all(tool.description for tool in tools)
    for name in games.CLASSIC.actions:
        assert name in by_name["act"].description
    assert by_name["act"].input_schema["required"] == ["game", "action"]
    session = TextSession("classic", max_steps=8)
    assert instructions == session.system_prompt
    assert rules == f"{manual('classic')}\n\n{session.instructions}"


def test_what_a_model_reads_is_the_text_itself(port: int) -> None:
    async def run() -> Any:
        async with over_http(port) as client:
            game = (await start(client, 1))["game"]
            result = await client.call_tool("act", {"game": game, "action": "left"})
            await call(client, "end_game", game=game)
            return result

    result = asyncio.run(run())
    assert [block.text for block in result.content] == [result.structured_content["text"]]


def test_nobody_reads_or_disturbs_the_game_of_another(port: int) -> None:
    async def run() -> list[Any]:
        async with over_http(port) as owner, over_http(port) as thief, over_http(port, mode="legacy") as other:
            turn = await start(owner, 1)
            game = turn["game"]
            seen = [turn["text"].partition("\n\n")[2]]
            own = (await start(thief, 1))["game"]
            near = game[:-1] + ("A" if game[-1] != "A" else "B")
            guesses = (
                "",
                "0",
                "1",
                "*",
                "../" + game,
                game[:-1],
                game.swapcase(),
                near,
                f"{own}/../{game}",
                f" {game}",
            )
            for name in NAMES:
                for client in (thief, other):
                    for guess in guesses:
                        for tool, more in (("act", {"action": "left"}), ("look", {}), ("score", {}), ("end_game", {})):
                            result = await client.call_tool(tool, {"game": guess, **more})
                            assert result.is_error
                            assert game not in result.model_dump_json().replace(guess, "")
                await call(thief, "act", game=own, action="do")
                seen.append((await call(owner, "act", game=game, action=name))["text"])
            listed = [(await thief.list_tools()).model_dump_json(), (await thief.list_resources()).model_dump_json()]
            assert not any(game in text for text in listed)
            await call(owner, "end_game", game=game)
            await call(thief, "end_game", game=own)
            return seen

    assert asyncio.run(run()) == [text for text, *_ in expected(1)[:-1]]


def test_names_of_games_do_not_repeat(port: int) -> None:
    async def run() -> set[str]:
        names = set()
        async with over_http(port) as client:
            for _ in range(20):
                game = (await start(client, 1))["game"]
                names.add(game)
                await call(client, "end_game", game=game)
        return names

    names = asyncio.run(run())
    assert len(names) == 20
    assert all(len(name) == 16 for name in names)


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("act", {"game": "x"}, "action"),
        ("act", {"game": "x", "action": "left"}, "no game of that name"),
        ("act", {"game": "x", "action": "x" * 5000}, "4096"),
        ("act", {"game": "x" * 100, "action": "left"}, "64"),
        ("act", {"game": "x", "action": {"__import__": "os"}}, "string"),
        ("start_game", {"seed": -1}, "greater than or equal to 0"),
        ("start_game", {"seed": "__import__('os')"}, "integer"),
        ("no_such_tool", {}, "no_such_tool"),
    ],
)
def test_bad_calls_are_told_what_is_wrong(port: int, tool: str, arguments: dict[str, Any], reason: str) -> None:
    async def run() -> Any:
        async with over_http(port) as client:
            return await client.call_tool(tool, arguments)

    result = asyncio.run(run())
    assert result.is_error
    assert reason in result.content[0].text


def test_games_and_steps_are_limited(port: int) -> None:
    async def run() -> None:
        async with over_http(port) as client:
            open_games = [(await start(client, seed))["game"] for seed in range(4)]
            refused = await client.call_tool("start_game", {"seed": 4})
            assert refused.is_error
            assert "All 4 games" in refused.content[0].text
            for _ in range(8):
                turn = await call(client, "act", game=open_games[0], action="noop")
            assert turn["done"]
            assert turn["text"].endswith("The episode is over: its last step is played.")
            over = await client.call_tool("act", {"game": open_games[0], "action": "noop"})
            assert over.is_error
            assert "episode is over" in over.content[0].text
            await call(client, "end_game", game=open_games[0])
            open_games[0] = (await start(client, 4))["game"]
            for game in open_games:
                await call(client, "end_game", game=game)

    asyncio.run(run())


def test_requests_that_are_too_large_are_not_read(port: int) -> None:
    with httpx2.Client() as client:
        answer = client.post(f"http://127.0.0.1:{port}/mcp", content=b"x" * 70_000)
    assert answer.status_code == 413


def test_a_page_in_a_browser_cannot_reach_the_server(port: int) -> None:
    """Another site's page, or a name that was rebound to this machine."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream"}
    with httpx2.Client() as client:
        for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
            answer = client.post(f"http://127.0.0.1:{port}/mcp", json=message, headers={**accept, **headers})
            assert answer.status_code in (403, 421), answer.text


def test_the_game_of_a_client_that_vanished_makes_room() -> None:
    async def run(port: int) -> str:
        async with over_http(port) as client:
            game = (await start(client, 1))["game"]
        async with over_http(port) as client:  # the first has gone without a word
            assert (await client.call_tool("start_game", {})).is_error
            await asyncio.sleep(4)
            await start(client, 2)
            gone = await client.call_tool("act", {"game": game, "action": "left"})
            assert gone.is_error
            return str(gone.content[0].text)

    arguments = ("mcp", "--game", "classic", "--http", "--max-games", "1", "--idle-minutes", "0.05")
    with servers.serve(*arguments) as port:
        assert "nobody has played it for too long" in asyncio.run(run(port))


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "0"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def tool_call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def test_nothing_but_the_protocol_is_on_stdout_and_the_end_of_stdin_is_the_end() -> None:
    """Also where the game itself, a library in C or a child process prints."""
    program = """
    import os, subprocess
    from craftax_text_gym.integrations import mcp_server
    from craftax_text_gym.integrations.pool import SessionPool
    from craftax_text_gym.session import TextSession

    class Noisy(TextSession):
        def reset(self, seed=None):
            print("noise", flush=True)
            os.write(1, b"noise")
            subprocess.run(["echo", "noise"])
            return super().reset(seed)

    def make():
        return Noisy("classic")

    mcp_server.run_stdio(mcp_server.build(SessionPool(make), make()))
    """
    lines = [json.dumps(message) for message in (HELLO, READY, tool_call(2, "start_game", seed=1))]
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n".join(lines) + "\n{nonsense}\n")
    process.stdin.flush()
    answers: dict[Any, Any] = {}
    while 2 not in answers:
        message = json.loads(process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        answers[message.get("id")] = message
    text = answers[2]["result"]["content"][0]["text"]
    assert text.partition("\n\n")[2] == TextSession("classic").reset(1)
    output, errors = process.communicate(timeout=60)  # closes its stdin, as a client does that has gone
    assert process.returncode == 0, errors
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in output.splitlines())
    assert errors.count("noise") == 3
