"""Imports by name, which import-linter cannot see, resolve, and keep to the contracts in pyproject.toml too."""

from __future__ import annotations

import ast
import copy
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import grimp
import pytest
from importlinter import Contract
from importlinter.api import read_configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract

import craftax_text_gym as ctg
from craftax_text_gym.text.registry import MARKUPS, SECTIONS
from tests.subprocesses import ROOT

PACKAGE = "craftax_text_gym"
KINDS: dict[str, type[Contract]] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}
CONTRACTS: dict[str, dict[str, Any]] = {
    options["name"]: options for options in read_configuration(str(ROOT / "pyproject.toml"))["contracts_options"]
}
LAYERS, NO_CIRCLES, JAX, JAXLIB = CONTRACTS
OPEN = {
    "craftax_text_gym.{name}": ctg._MODULES_ON_DEMAND,
    "craftax_text_gym.text.markups.{name}": MARKUPS,
    "craftax_text_gym.text.sections.{name}": SECTIONS,
}
"""Names of modules that are complete only while the program runs, and what then fills them."""

_NAME = re.compile(rf"{PACKAGE}(\.[\w{{}}]+)+(:\w+)?")


class ByName(NamedTuple):
    """A module that imports, the module that it names, and the object in it; `""` where it names none."""

    importer: str
    imported: str
    attribute: str


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def source_of(module: str) -> ast.Module:
    spec = find_spec(module)  # imports the packages around the module, and not the module
    assert spec is not None, f"There is no module {module}."
    assert spec.origin is not None
    return ast.parse(Path(spec.origin).read_text())


def strings(tree: ast.Module, module: str) -> Iterator[str]:
    """Every string of a module; in f-strings, the module's own constants are filled in."""
    constants = {"__name__": module}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                constants[name] = text
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                constants.get(ast.unparse(part.value), f"{{{ast.unparse(part.value)}}}")
                if isinstance(part, ast.FormattedValue)
                else str(ast.literal_eval(part))
                for part in node.values
            )


def imports_by_name() -> Iterator[ByName]:
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        importer = module_name(path)
        for string in filter(_NAME.fullmatch, strings(ast.parse(path.read_text()), importer)):
            hole = re.search(r"\{\w+\}", string)
            for filled in [string.replace(hole[0], value) for value in OPEN[string]] if hole else [string]:
                imported, _, attribute = filled.partition(":")
                yield ByName(importer, imported, attribute)


BY_NAME = sorted(set(imports_by_name()))


@cache
def written_graph() -> grimp.ImportGraph:
    return grimp.build_graph(PACKAGE, include_external_packages=True, cache_dir=None)


def graph_with(*imports: tuple[str, str]) -> grimp.ImportGraph:
    graph = copy.deepcopy(written_graph())
    for importer, imported in imports:
        if importer != imported:
            graph.add_import(importer=importer, imported=imported)
    return graph


def is_kept(contract: str, graph: grimp.ImportGraph) -> bool:
    options = CONTRACTS[contract]
    session = {"root_packages": [PACKAGE], "include_external_packages": "True"}
    return KINDS[options["type"]](contract, session, options).check(graph, verbose=False).kept


def test_imports_by_name_are_found_wherever_there_are_some() -> None:
    found = {importer.removeprefix(f"{PACKAGE}.") for importer, _, _ in BY_NAME}
    assert found >= {PACKAGE, "registration", "evaluation.backends", "agents.loading"}


@pytest.mark.parametrize("entry", BY_NAME, ids=":".join)
def test_what_is_imported_by_name_exists(entry: ByName) -> None:
    tree = source_of(entry.imported)
    if entry.attribute:
        names = {alias.asname or alias.name for node in ast.walk(tree) for alias in getattr(node, "names", ())}
        names |= {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
        assert entry.attribute in names


@pytest.mark.parametrize("name", ctg.__all__)
def test_every_name_at_the_top_exists(name: str) -> None:
    assert getattr(ctg, name) is not None


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_holds_with_the_imports_by_name_added(contract: str) -> None:
    graph = graph_with(*((importer, imported) for importer, imported, _ in BY_NAME))
    assert is_kept(contract, graph), "Add the import to the source to see it in the report of: lint-imports"


def test_no_module_imports_itself_in_a_circle() -> None:
    """Beside the contract, which sees the modules of a package and not the package's own `__init__`."""
    graph = written_graph()
    own = [module for module in graph.modules if module.partition(".")[0] == PACKAGE]
    imports = {module: graph.find_modules_directly_imported_by(module) for module in own}
    assert tuple(TopologicalSorter(imports).static_order())


@pytest.mark.parametrize(
    ("contract", "importer", "imported"),
    [
        (LAYERS, "games.spec", "cli.app"),
        (LAYERS, "env", "vector.env"),
        (NO_CIRCLES, "games.shared", "games.full"),
        (JAX, "text.writer", "jax"),
        (JAXLIB, "engine.core", "jaxlib"),
    ],
)
def test_a_contract_is_broken_by_one_wrong_import(contract: str, importer: str, imported: str) -> None:
    within = imported if imported in ("jax", "jaxlib") else f"{PACKAGE}.{imported}"
    assert not is_kept(contract, graph_with((f"{PACKAGE}.{importer}", within)))


def test_no_contract_lists_an_exception() -> None:
    assert not [key for options in CONTRACTS.values() for key in options if "ignore" in key or "skip" in key]
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert config["exclude_type_checking_imports"] is False


def test_every_way_to_import_by_name_is_known() -> None:
    """Those that name modules of this package in other ways than whole strings belong in `OPEN`."""
    calls = {
        module_name(path)
        for path in (ROOT / PACKAGE).rglob("*.py")
        if re.search(r"\b(import_module|__import__)\(", path.read_text())
    }
    assert calls <= {PACKAGE, *(f"{PACKAGE}.{name}" for name in ("agents.loading", "engine.core", "utils.plugins"))}
