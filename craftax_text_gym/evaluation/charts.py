"""The charts of a run. Needs the extra `charts`."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.evaluation.run_summary import RunSummary
from craftax_text_gym.scoring.episode import EpisodeRecord
from craftax_text_gym.utils.plugins import require_extra

with require_extra("charts"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOR = "#2a6f97"
_STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "craftax",
}
_METADATA = {
    "png": {"Software": None},
    "svg": {"Date": None},
}  # nothing that changes the bytes of equal charts


def draw(run: RunSummary) -> dict[str, bytes]:
    """Draw the charts of a run.

    Args:
        run: The run.

    Returns:
        File name -> contents of two charts, each as PNG and SVG. Equal runs give equal bytes.
    """
    with matplotlib.rc_context(_STYLE):
        figures = {"achievements": _achievements(run), "progress": _progress(run)}
        return {f"{name}.{kind}": _to_bytes(figure, kind) for name, figure in figures.items() for kind in _METADATA}


def _achievements(run: RunSummary) -> Figure:
    """Success rates as bars, the highest first; equal rates by the achievement's reward."""
    labels = {achievement.key: achievement.label for achievement in run.game.achievements}
    rewards = {achievement.key: achievement.reward for achievement in run.game.achievements}
    rates = run.success_rates
    keys = sorted(rates, key=lambda key: (-rates[key], rewards[key]))
    figure = Figure(figsize=(7, 1 + 0.18 * len(keys)), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh([labels[key] for key in keys], [100 * rates[key] for key in keys], color=_COLOR)
    axes.bar_label(bars, fmt="%.0f", padding=2)
    axes.invert_yaxis()
    axes.set(xlim=(0, 105), xlabel=f"episodes that unlocked it (%), of {len(run.episodes)}", title=_title(run))
    axes.margins(y=0.01)
    return figure


def _progress(run: RunSummary) -> Figure:
    """Achievement reward and achievement count over steps: the mean, and each episode."""
    rewards = {achievement.key: float(achievement.reward) for achievement in run.game.achievements}
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    _curves(left, run, rewards, "reward for achievements")
    _curves(right, run, dict.fromkeys(rewards, 1.0), "achievements")
    figure.suptitle(f"{_title(run)}: mean, and each episode")
    return figure


def _curves(axes: Axes, run: RunSummary, weights: dict[str, float], label: str) -> None:
    longest = max(max(episode.length for episode in run.episodes), 1)
    steps = np.unique(np.linspace(0, longest, 400).astype(int))
    curves = np.array([_curve(episode, weights, steps) for episode in run.episodes])
    axes.plot(steps, curves.T, color=_COLOR, alpha=min(0.5, 4 / len(curves)), linewidth=0.7, drawstyle="steps-post")
    axes.plot(steps, curves.mean(axis=0), color=_COLOR, linewidth=2)
    axes.set(xlabel="step", ylabel=label, xlim=(0, longest), ylim=(0, None))


def _curve(episode: EpisodeRecord, weights: dict[str, float], steps: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64 `[steps]`: the summed weights of the achievements unlocked by each step."""
    reached = sorted((step, weights[key]) for key, step in episode.achievements.items())
    sums = np.concatenate([[0.0], np.cumsum([value for _, value in reached])])
    return np.asarray(sums[np.searchsorted([step for step, _ in reached], steps, side="right")], np.float64)


def _title(run: RunSummary) -> str:
    protocol = run.header["protocol"]
    return f"{run.agent}, {run.game.title}" + (f", protocol {protocol}" if protocol else "")


def _to_bytes(figure: Figure, kind: str) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format=kind, dpi=150, metadata=_METADATA[kind])
    return data.getvalue()
