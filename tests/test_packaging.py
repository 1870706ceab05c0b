from __future__ import annotations

import ast
import contextlib
import itertools
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import craftax_text_gym
from tests.subprocesses import ROOT

PACKAGE = ROOT / "craftax_text_gym"
WORKFLOWS = ROOT / ".github" / "workflows"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
REQUIREMENTS = [
    requirement
    for requirement in (*PROJECT["dependencies"], *itertools.chain(*EXTRAS.values()))
    if not requirement.startswith("craftax-text-gym[")
]


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["version"] == craftax_text_gym.__version__
    assert f"\nversion: {craftax_text_gym.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_command_is_the_package_s_own() -> None:
    assert PROJECT["scripts"] == {"craftax-text": "craftax_text_gym.cli:main"}


def test_every_dependency_has_a_lowest_version_that_ci_can_read() -> None:
    for requirement in PROJECT["dependencies"]:
        assert re.fullmatch(r"[\w-]+>=[\d.]+,<[\d.]+", requirement), requirement


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_a_requirement_is_bounded_on_both_sides_and_the_installed_version_is_within(requirement: str) -> None:
    parsed = Requirement(requirement)
    assert sorted(bound.operator for bound in parsed.specifier) == ["<", ">="]
    with contextlib.suppress(PackageNotFoundError):  # an extra whose tests run elsewhere
        assert parsed.specifier.contains(version(parsed.name), prereleases=True)


def test_the_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


def test_the_wrappers_at_the_top_are_a_link_into_the_package() -> None:
    link = ROOT / "wrappers"
    assert link.is_symlink()
    assert link.readlink() == Path("craftax_text_gym/wrappers")
    assert (link / "__init__.py").is_file()


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_has_a_docstring(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_workflows_test_every_python_that_the_package_names() -> None:
    named = [entry.rpartition(" ")[2] for entry in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", entry)]
    matrix = re.search(r"python: \[(.*)\]", (WORKFLOWS / "tests.yml").read_text())
    assert matrix is not None
    assert re.findall(r"3\.\d+", matrix[1]) == named


@pytest.mark.parametrize("path", [ROOT / ".ci" / "run", *WORKFLOWS.glob("*.yml")], ids=lambda path: path.name)
def test_the_scripts_that_ci_runs_exist(path: Path) -> None:
    for script in re.findall(r"(?<![\w/])\.ci/\w+(?:\.py)?", path.read_text()):
        assert (ROOT / script).is_file(), script
        assert script.endswith(".py") or os.access(ROOT / script, os.X_OK), script


def test_the_configuration_of_pre_commit_is_valid(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(ROOT / ".pre-commit-config.yaml")]
    environ = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
