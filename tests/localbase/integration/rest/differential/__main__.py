"""`make differential`: the differential test in its longer form."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Runs the test with as many requests, and with the seed, that the arguments name."""
    parser = argparse.ArgumentParser(prog="make differential")
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    size = {"DIFFERENTIAL_REQUESTS": str(options.requests), "DIFFERENTIAL_SEED": str(options.seed)}
    command = [sys.executable, "-m", "pytest", str(Path(__file__).parent)]
    return subprocess.run(command, env=os.environ | size, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
