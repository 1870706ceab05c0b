"""A custom section of the text, which says what each tool still lacks: python custom_section.py.

A section is named as `"module:Class"`. Python finds this module because it searches the folder of the script it runs.
"""

import gymnasium as gym

import craftax_text_gym
from craftax_text_gym import GameSpec, TextFormat
from craftax_text_gym.availability import reasons as availability
from craftax_text_gym.text import Body, Moment


class Workshop:
    """The tools not made yet, each with what it lacks now.

    A section is written from the moment alone, which holds only what the player may know.
    """

    title = "Workshop"

    def __init__(self, spec: GameSpec, text_format: TextFormat) -> None:
        """Prepare what does not change from step to step."""
        tools = [name for name in spec.achievement_keys if name.startswith("make_")]
        self.actions = {tool: spec.actions.index(tool) for tool in tools}
        self.lead = "to make: " if text_format.terse else ""  # a terse text has no headings

    def data(self, moment: Moment) -> dict[str, str | None]:
        """The section as JSON values: tool -> what it lacks, or None if it can be made."""
        return {
            tool: availability.explain(moment.scene, action, params=moment.params)
            for tool, action in self.actions.items()
            if tool not in moment.scene.achievements
        }

    def body(self, moment: Moment) -> Body | None:
        """The section in words; None if there is nothing to report."""
        lines = [f"{self.lead}{tool}: {lack or 'nothing missing'}" for tool, lack in self.data(moment).items()]
        return Body(lines) if lines else None


def main() -> None:
    """Collect wood, place a table, and print the text in two markups."""
    gym.register_envs(craftax_text_gym)
    for markup in ("markdown", "json"):
        text_format = {"markup": markup, "sections": ["inventory", "custom_section:Workshop"]}
        env = gym.make("CraftaxClassicText-v0", text_format=text_format)
        env.reset(seed=1)
        for action in ("do", "right", "right", "do", "place_table"):
            observation, *_ = env.step(action)
        print(observation)


if __name__ == "__main__":
    main()
