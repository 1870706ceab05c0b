"""A report's charts. Needs the extra `charts`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from craftax_text_gym.utils.plugins import require_extra

with require_extra("charts"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

if TYPE_CHECKING:
    from craftax_text_gym.evaluation.report import Report
    from craftax_text_gym.scoring.episode import EpisodeRecord

_COLOR = "#2a6f97"
_STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "craftax",
}
_INFO = {"png": {"Software": None}, "svg": {"Date": None}}  # else the same report gives other bytes each time


def draw(report: Report) -> dict[str, bytes]:
    """Draw a report.

    Args:
        report: The report.

    Returns:
        The name of each file, of two charts as PNG and SVG -> its bytes, equal for equal reports.
    """
    with matplotlib.rc_context(_STYLE):
        figures = {"achievements": _achievements(report), "progress": _progress(report)}
        return {f"{name}.{kind}": _to_bytes(figure, kind) for name, figure in figures.items() for kind in _INFO}


def _achievements(report: Report) -> Figure:
    """Success rates as bars, the easiest above: by the rate, then by what the game pays."""
    labels = {achievement.key: achievement.label for achievement in report.game.achievements}
    rewards = {achievement.key: achievement.reward for achievement in report.game.achievements}
    rates = report.success_rates
    keys = sorted(rates, key=lambda key: (-rates[key], rewards[key]))
    figure = Figure(figsize=(7, 1 + 0.18 * len(keys)), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh([labels[key] for key in keys], [100 * rates[key] for key in keys], color=_COLOR)
    axes.bar_label(bars, fmt="%.0f", padding=2)
    axes.invert_yaxis()
    axes.set(xlim=(0, 105), xlabel=f"episodes that reached it (%), of {len(report.episodes)}", title=_title(report))
    axes.margins(y=0.01)
    return figure


def _progress(report: Report) -> Figure:
    """The reward for achievements and their number over the steps, each the mean over episodes, with all of them."""
    rewards = {achievement.key: float(achievement.reward) for achievement in report.game.achievements}
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    _curves(left, report, rewards, "reward for achievements")
    _curves(right, report, dict.fromkeys(rewards, 1.0), "achievements")
    figure.suptitle(f"{_title(report)}: mean, and each episode")
    return figure


def _curves(axes: Axes, report: Report, worth: dict[str, float], label: str) -> None:
    longest = max(max(episode.length for episode in report.episodes), 1)
    steps = np.unique(np.linspace(0, longest, 400).astype(int))
    curves = np.array([_curve(episode, worth, steps) for episode in report.episodes])
    axes.plot(steps, curves.T, color=_COLOR, alpha=min(0.5, 4 / len(curves)), linewidth=0.7, drawstyle="steps-post")
    axes.plot(steps, curves.mean(axis=0), color=_COLOR, linewidth=2)
    axes.set(xlabel="step", ylabel=label, xlim=(0, longest), ylim=(0, None))


def _curve(episode: EpisodeRecord, worth: dict[str, float], steps: NDArray[np.int64]) -> NDArray[np.float64]:
    """What the achievements up to each step are worth together."""
    reached = sorted((step, worth[key]) for key, step in episode.achievements.items())
    sums = np.concatenate([[0.0], np.cumsum([value for _, value in reached])])
    return np.asarray(sums[np.searchsorted([step for step, _ in reached], steps, side="right")], np.float64)


def _title(report: Report) -> str:
    protocol = report.header["protocol"]
    return f"{report.agent}, {report.game.title}" + (f", protocol {protocol}" if protocol else "")


def _to_bytes(figure: Figure, kind: str) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format=kind, dpi=150, metadata=_INFO[kind])
    return data.getvalue()
