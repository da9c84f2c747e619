"""The console command `mgpu` of an installed package: the project's own, in the package's folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the command. It finds the library beside itself."""
    command = Path(__file__).resolve().parent / "mgpu"
    try:
        os.execv(command, ["mgpu", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"mgpu: {command}: {error.strerror}; a wheel has it (scripts/wheel)")
