"""Print the lowest version that pyproject.toml allows of each dependency, as `name==version`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]

for requirement in PROJECT["dependencies"]:
    match = re.match(r"([\w-]+)>=([\d.]+)", requirement)
    assert match, f"Expected a dependency as name>=version, got {requirement!r}."
    print(f"{match[1]}=={match[2]}")
