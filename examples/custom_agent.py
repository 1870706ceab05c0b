"""A custom agent that reads the text and plays by a few rules: python custom_agent.py.

This compares it with a random agent. From the shell, in the folder of this file:

    craftax-text eval --game classic --agent custom_agent:Forager --protocol craftaxlm
"""

import json
import random
from collections.abc import Mapping
from typing import Any

import craftax_text_gym as ctg
from craftax_text_gym.agents import RandomAgent

MOVES = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
WISHES = (
    "make_wood_pickaxe",
    "make_wood_sword",
    "make_stone_pickaxe",
    "make_stone_sword",
    "place_furnace",
    "place_plant",
    "place_table",
)


class Forager:
    """Drinks, eats, gathers wood and stone, and makes tools from them."""

    text_format = "json"  # what it reads

    def reset(self, seed: int) -> None:
        """Begin an episode; all random draws follow from its seed."""
        self.rng = random.Random(seed)
        self.heading = "left"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Choose the next action."""
        seen = json.loads(observation)
        available = set(seen["actions"]["available"])
        fresh = available - set(seen["achievements"]["unlocked"])
        if seen["inventory"]["wood"] < 6:
            fresh.discard("place_table")  # keep enough for the tools that need a table
        for name in WISHES:
            if name in fresh:
                return name
        wanted = self.wanted(seen["status"], seen["inventory"])
        faced = seen["status"]["faced"]
        if "do" in available and wanted & {faced["block"], *faced["things"]}:
            return "do"
        moves = [move for move in self.towards(seen["map"], wanted) if move in available]
        if not moves or self.rng.random() < 0.1:
            moves = [move for move in MOVES if move in available] or ["noop"]
            self.rng.shuffle(moves)
        self.heading = moves[0]
        return self.heading

    def wanted(self, status: Mapping[str, Any], inventory: Mapping[str, int]) -> set[str]:
        """Choose what to look for from what is lacking."""
        if min(status["food"], status["drink"]) < 6:
            return {"cow"} if status["food"] < status["drink"] else {"water"}
        if inventory["wood"] < 5:
            return {"tree"}
        return {"stone", "coal", "cow"} if inventory["wood_pickaxe"] else {"tree"}

    def towards(self, chart: Mapping[str, Any], wanted: set[str]) -> list[str]:
        """List the moves towards the nearest wanted thing, best first; straight on if none is in view."""
        rows, legend = chart["rows"], chart["legend"]
        middle, centre = len(rows) // 2, len(rows[0]) // 2
        offsets = [
            (row - middle, column - centre)
            for row, line in enumerate(rows)
            for column, character in enumerate(line)
            if legend.get(character) in wanted
        ]
        if not offsets:
            return [self.heading]
        down, right = min(offsets, key=lambda offset: abs(offset[0]) + abs(offset[1]))
        gains = {move: down * step[0] + right * step[1] for move, step in MOVES.items()}
        return sorted((move for move in MOVES if gains[move] > 0), key=gains.__getitem__, reverse=True)


if __name__ == "__main__":
    for agent in (Forager, RandomAgent):
        report = ctg.evaluate(agent, game="classic", episodes=5, max_steps=300)
        print(f"{agent.__name__}: {report.mean_achievements:.1f} achievements, {report.score:.1f} % of the reward")
