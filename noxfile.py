"""Tests against each framework in an environment of its own, because their pins conflict; and the documentation.

`nox` runs all sessions that CI runs, `nox -s mcp` one of them, `nox -l` lists them. They share the compiled games.
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
nox.options.sessions = ["sdks", "openai2", "mcp", "openenv", "trl", "verifiers", "inspect", "skyrl", "ray", "docs"]


def run(session: nox.Session, *tests: str, extra: str = "", also: tuple[str, ...] = ()) -> None:
    """Install the package with an extra and run the tests of a framework.

    Args:
        session: The session, named after its framework; if the framework cannot be imported, the tests fail.
        tests: Files or folders within `tests`.
        extra: The extra; none by default.
        also: Further requirements of the tests.
    """
    package = f".[{extra}]" if extra else "."
    session.install("--editable", package, *TOOLS, *also)
    environment = {**SHARED, "CRAFTAX_TEXT_REQUIRE": session.name}
    paths = [str(Path("tests") / test) for test in tests]
    session.run("python", "-m", "pytest", *paths, *session.posargs, env=environment)


@nox.session
def sdks(session: nox.Session) -> None:
    """Tool schemas, checked with the types of the OpenAI, Anthropic and MCP packages."""
    also = ("openai>=2,<4", "anthropic>=0.70,<3", "mcp>=2.3,<3", "jsonschema>=4.23,<5")
    run(session, "replies/test_tool_schemas.py", "integrations/test_openai_agent.py", also=also)


@nox.session
def openai2(session: nox.Session) -> None:
    """The `llm` agent with version 2 of OpenAI's client, which is built on httpx; other tests have 3, on httpx2."""
    run(session, "agents/llm", extra="llm", also=("openai==2.*",))


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
    """The environments for TRL, as transformers and TRL read them; `grpo` tests the trainer, which needs torch."""
    session.install("--no-deps", "trl>=1.16,<2")
    run(session, "integrations/test_trl.py", "integrations/test_trl_example.py", also=("transformers>=5.2,<6",))


@nox.session
def grpo(session: nox.Session) -> None:
    """A short, offline GRPO training of a tiny model with TRL; not in CI, because torch is large."""
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
    session.env["PYTEST_ADDOPTS"] = "--capture=sys"  # shows the reason if Ray ends the process
    run(session, "evaluation/backends/test_ray.py", extra="ray")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation strictly, from a copy: a clean build empties the `.cache` folder beside it."""
    session.install("--editable", ".[docs]")
    copy = Path(session.create_tmp()) / "site"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "docs", copy / "docs")
    shutil.copy(ROOT / "zensical.toml", copy)
    session.chdir(copy)
    session.run("python", "-m", "zensical", "build", "--strict", "--clean")


@nox.session
def sb3(session: nox.Session) -> None:
    """A short PPO run with Stable-Baselines3 on symbolic observations; not in CI, because torch is large."""
    session.env["CRAFTAX_TEXT_PROOF"] = "1"
    run(session, "integrations/test_sb3.py", also=("stable-baselines3>=2.9,<3",))
