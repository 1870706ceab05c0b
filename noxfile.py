"""Tests against the frameworks, each in an environment of its own, for their pins conflict; and the site.

`nox` runs all that CI runs, `nox -s mcp` one of them, `nox -l` lists them. The compiled games are shared.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import nox

ROOT = Path(__file__).parent
TOOLS = ("pytest>=8.3,<10", "hypothesis>=6.120,<7")
SHARED = {
    "JAX_COMPILATION_CACHE_DIR": str(ROOT / ".cache" / "jax"),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["sdks", "mcp", "openenv", "trl", "verifiers", "inspect", "skyrl", "ray", "docs"]


def run(session: nox.Session, *tests: str, extra: str = "", also: tuple[str, ...] = ()) -> None:
    """Install the package with an extra, and run the tests of a framework.

    Args:
        session: The session; its name is the framework's, for which a missing import is then an error.
        tests: Files or folders within `tests`.
        extra: The extra; none by default.
        also: What the tests need beside it.
    """
    package = f".[{extra}]" if extra else "."
    session.install("--editable", package, *TOOLS, *also)
    environment = {**SHARED, "CRAFTAX_TEXT_REQUIRE": session.name}
    paths = [str(Path("tests") / test) for test in tests]
    session.run("python", "-m", "pytest", *paths, *session.posargs, env=environment)


@nox.session
def sdks(session: nox.Session) -> None:
    """The schemas of tools, against the types of OpenAI's, Anthropic's and MCP's own packages."""
    also = ("openai>=2,<4", "anthropic>=0.70,<3", "mcp>=2.3,<3", "jsonschema>=4.23,<5")
    run(session, "replies/test_tool_schemas.py", "integrations/test_openai_agent.py", also=also)


@nox.session
def mcp(session: nox.Session) -> None:
    """The MCP server, with real clients over stdio and HTTP."""
    run(session, "integrations/test_mcp_server.py", extra="mcp")


@nox.session
def openenv(session: nox.Session) -> None:
    """The OpenEnv server, with real clients over WebSocket."""
    run(session, "integrations/test_openenv_server.py", extra="openenv")


@nox.session
def trl(session: nox.Session) -> None:
    """The environments for TRL, as transformers and TRL read them; its trainer, which needs torch, is in `grpo`."""
    session.install("--no-deps", "trl>=1.16,<2")
    run(session, "integrations/test_trl.py", "integrations/test_trl_example.py", also=("transformers>=5.2,<6",))


@nox.session
def grpo(session: nox.Session) -> None:
    """A short training with TRL's GRPO of a model made for it, offline: torch is too heavy for CI."""
    run(session, "integrations/test_trl_example.py", also=("trl>=1.16,<2", "transformers>=5.2,<6", "jmespath"))


@nox.session
def verifiers(session: nox.Session) -> None:
    """The taskset and environment of verifiers, with a scripted model behind a real endpoint."""
    run(session, "integrations/test_verifiers.py", extra="verifiers", also=("uv",))


@nox.session
def inspect(session: nox.Session) -> None:
    """The task for Inspect, with its mock model."""
    run(session, "integrations/test_inspect_task.py", extra="inspect")


@nox.session
def skyrl(session: nox.Session) -> None:
    """The environment for SkyRL."""
    run(session, "integrations/test_skyrl.py", extra="skyrl")


@nox.session
def ray(session: nox.Session) -> None:
    """Evaluation on a cluster of two workers."""
    session.env["PYTEST_ADDOPTS"] = "--capture=sys"  # if Ray ends the process, its reason is seen
    run(session, "evaluation/backends/test_ray.py", extra="ray")


@nox.session
def docs(session: nox.Session) -> None:
    """The site, strictly; from a copy, for a clean build empties the folder `.cache` beside it."""
    session.install("--editable", ".[docs]")
    copy = Path(session.create_tmp()) / "site"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "docs", copy / "docs")
    shutil.copy(ROOT / "zensical.toml", copy)
    session.chdir(copy)
    session.run("python", "-m", "zensical", "build", "--strict", "--clean")


@nox.session
def sb3(session: nox.Session) -> None:
    """A short run of Stable-Baselines3's PPO on symbolic observations: torch is too heavy for CI."""
    session.env["CRAFTAX_TEXT_PROOF"] = "1"
    run(session, "integrations/test_sb3.py", also=("stable-baselines3>=2.9,<3",))
