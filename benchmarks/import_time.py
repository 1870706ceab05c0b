"""What `import craftax_text_gym` adds to `import gymnasium`, in fresh processes."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.measure import alternate, publish, spread

ROUNDS = 15
LIMIT = 50.0
_CODE = "import time; import gymnasium; start = time.perf_counter(); {}; print((time.perf_counter() - start) * 1e3)"


def milliseconds(statement: str) -> float:
    """How long a statement takes in a fresh process that has imported Gymnasium."""
    out = subprocess.run([sys.executable, "-c", _CODE.format(statement)], capture_output=True, text=True, check=True)
    return float(out.stdout)


def main() -> None:
    """Measure, and compare with importing a module that is already loaded."""
    measured = alternate(
        {
            "craftax_text_gym": lambda: milliseconds("import craftax_text_gym"),
            "nothing": lambda: milliseconds("import gymnasium"),
        },
        ROUNDS,
    )
    rows = [{"import": name, **spread(values)} for name, values in measured.items()]
    rows[0]["limit"] = LIMIT
    publish("import_time", f"milliseconds beyond `import gymnasium`, {ROUNDS} fresh processes each", rows)


if __name__ == "__main__":
    main()
