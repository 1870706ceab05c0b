"""The dialects in which models think, call tools and mark answers, each as a function of what it holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

THOUGHTS: tuple[tuple[str, str], ...] = (
    *((f"<{name}>", f"</{name}>") for name in ("think", "thinking", "thought", "reasoning", "analysis", "scratchpad")),
    *((f"<{space}:think>", f"</{space}:think>") for space in ("seed", "mm")),
    ("[THINK]", "[/THINK]"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)
"""How a thought opens and closes."""

ASIDES: tuple[tuple[str, str], ...] = (("<!--", "-->"), ("/*", "*/"), ("<del>", "</del>"), ("<s>", "</s>"))
"""How a comment or struck text opens and closes."""

Writer = Callable[[Sequence[str]], str]


def _arguments(names: Sequence[str]) -> str:
    return json.dumps({"action": names[0]} if len(names) == 1 else {"actions": list(names)})


def _call(names: Sequence[str]) -> str:
    return json.dumps({"name": "act", "arguments": json.loads(_arguments(names))})


def _openai(names: Sequence[str]) -> str:
    calls = [{"id": "a", "type": "function", "function": {"name": "act", "arguments": _arguments(names)}}]
    message = {"role": "assistant", "content": "up or down?", "tool_calls": calls}
    return json.dumps({"id": "b", "choices": [{"index": 0, "message": message}]})


def _python(names: Sequence[str]) -> str:
    return f"[{', '.join(f'act(action={name!r})' for name in names)}]"


def _glm(names: Sequence[str]) -> str:
    return f"act<arg_key>actions</arg_key><arg_value>{json.dumps(list(names))}</arg_value>"


CALLS: dict[str, Writer] = {
    "Hermes": lambda names: f"<tool_call>\n{_call(names)}\n</tool_call>",
    "Qwen3-Coder": lambda names: (
        f"<tool_call>\n<function=act>\n<parameter=actions>\n{json.dumps(list(names))}\n</parameter>\n</function>\n</tool_call>"
    ),
    "GLM": lambda names: f"<tool_call>{_glm(names)}</tool_call>",
    "Claude": lambda names: (
        '<function_calls>\n<invoke name="act">\n<parameter name="actions">'
        f"{json.dumps(list(names))}</parameter>\n</invoke>\n</function_calls>"
    ),
    "Llama": _python,
    "Llama, tag": lambda names: f"<function=act>{_arguments(names)}</function>",
    "DeepSeek": lambda names: (
        "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>act\n"
        f"```json\n{_arguments(names)}\n```<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>"
    ),
    "Kimi": lambda names: (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.act:0<|tool_call_argument_begin|>"
        f"{_arguments(names)}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "Mistral": lambda names: f"[TOOL_CALLS][{_call(names)}]",
    "Gemma": lambda names: (
        "<|tool_call>call:act{actions:[" + ",".join(f'<|"|>{name}<|"|>' for name in names) + "]}<tool_call|>"
    ),
    "BALROG": lambda names: f"<|ACTION|>{', '.join(names)}<|END|>",
    "OpenAI": _openai,
    "functions": lambda names: f"[{', '.join(f'{name}()' for name in names)}]",
}
"""Dialects of tool calls: the names of actions -> a call that asks for them. Cut off, none asks for anything."""

MARKS: dict[str, Writer] = {
    "tag": lambda names: f"<action>{', '.join(names)}</action>",
    "box": lambda names: f"\\boxed{{{', '.join(names)}}}",
    "GLM's box": lambda names: f"<|begin_of_box|>{', '.join(names)}<|end_of_box|>",
    "JSON": _arguments,
    "single quotes": lambda names: repr({"actions": list(names)}),
    "trailing comma": lambda names: f'{{"actions": {json.dumps(list(names))},}}',
    "fence": lambda names: f"```json\n{_arguments(names)}\n```",
}
"""Marks around an answer, likewise."""

LABELS: dict[str, Writer] = {
    "label": lambda names: f"Action: {', '.join(names)}",
    "bold": lambda names: f"**Action:** {', '.join(names)}",
    "full width": lambda names: f"Action\uff1a{', '.join(names)}",
    "heading": lambda names: f"### Action\n{', '.join(names)}",
    "to take": lambda names: f"Action to take: {', '.join(names)}",
    "phrase": lambda names: f"The answer is: {', '.join(names)}",
    "plain": ", ".join,
}
"""Labels, and nothing at all, likewise; cut off, they may ask for less."""

ENDINGS = ("", "\n", "<|im_end|>", "</s>", "<|eot_id|>", "<end_of_turn>\n", "<|im_end|>\n<|im_start|>user\nUp?")
"""What may follow a reply."""
