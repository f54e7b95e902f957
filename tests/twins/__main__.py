"""`python -m tests.twins NAME ...`: the twin of a ruleset, `tests.twins.NAME.run`."""

import importlib
import sys
from pathlib import Path

NAMES = sorted(path.parent.name for path in Path(__file__).parent.glob("*/run.py"))

if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
    sys.exit(f"python -m tests.twins NAME [--fights N]: NAME is one of {', '.join(NAMES)}")
sys.exit(importlib.import_module(f"tests.twins.{sys.argv[1]}.run").main(sys.argv[2:]))
