from __future__ import annotations

import importlib
import sys

import pytest

from craftax_text_gym.utils.plugins import require_extra
from tests import subprocesses

MODULES = {
    "craftax_text_gym.integrations.mcp_server": ("mcp", "mcp.server"),
    "craftax_text_gym.integrations.openenv_server": ("openenv", "openenv.core.env_server"),
    "craftax_text_gym.integrations.verifiers": ("verifiers", "verifiers.v1"),
    "craftax_text_gym.integrations.inspect_task": ("inspect", "inspect_ai"),
    "craftax_text_gym.integrations.skyrl": ("skyrl", "skyrl_gym"),
    "craftax_text_gym.evaluation.backends.ray": ("ray", "ray"),
    "craftax_text_verifiers": ("verifiers", "verifiers.v1"),
}
"""What needs a framework: the extra, and the first module of the framework that it imports."""


@pytest.mark.parametrize("module", MODULES)
def test_without_its_framework_a_module_names_the_cure(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    extra, framework = MODULES[module]
    for name in [name for name in sys.modules if name in MODULES]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, framework.partition(".")[0], None)
    monkeypatch.setitem(sys.modules, framework, None)
    with pytest.raises(ImportError) as caught:
        importlib.import_module(module)
    assert f'pip install "craftax-text-gym[{extra}]"' in str(caught.value)
    assert caught.value.name


def test_only_failed_imports_are_explained() -> None:
    with require_extra("mcp"):
        import json  # noqa: F401
    with pytest.raises(ValueError, match="mine"), require_extra("mcp"):
        raise ValueError("mine")


def test_no_framework_is_imported_before_it_is_asked_for() -> None:
    program = """
    import json, sys
    import craftax_text_gym.cli
    from craftax_text_gym.integrations import balrog, pool, trl
    from craftax_text_gym import session
    from craftax_text_gym.replies import tool_schemas
    print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
    """
    heavy = {
        "mcp",
        "openenv",
        "verifiers",
        "inspect_ai",
        "skyrl_gym",
        "ray",
        "trl",
        "transformers",
        "balrog",
        "uvicorn",
    }
    assert not heavy & set(subprocesses.run(program))
