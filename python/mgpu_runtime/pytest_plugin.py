"""A plugin of pytest: a finding of the checker while a test runs fails the test.

    python3 -m pytest --mgpu-check=memory,race,uninit

An installed package has it loaded; without, -p mgpu_runtime.pytest_plugin does. It sets the variables of
the library before its first call, for pytest's process and those that tests start.
"""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from typing import Any, Generator, Optional

_pytest: Any = importlib.import_module("pytest")  # which need not be installed where types are checked


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("mgpu", "kernels on the software GPU")
    group.addoption("--mgpu-check", metavar="LIST", help="what kernels are watched for: memory,race,uninit,wait, or all; a finding fails the test")
    group.addoption("--mgpu-chip", metavar="CHIP", help="which GPU the software GPU is: gfx90a; else gfx906")
    group.addoption("--mgpu-report", metavar="FILE", help="keep findings in a file, a JSON object a line")


class _Findings:
    """Reads new lines of the file of MGPU_REPORT."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._read = 0

    def take(self) -> list[dict[str, Any]]:
        """Returns the findings since the last time."""
        try:
            with open(self._name, "rb") as file:
                file.seek(self._read)
                lines = file.read()
        except FileNotFoundError:
            return []
        self._read += len(lines)
        reports = [json.loads(line) for line in lines.splitlines()]
        return [report for report in reports if report["kind"] == "check"]


class _Plugin:
    def __init__(self, findings: _Findings) -> None:
        self._findings = findings

    @_pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, None]:
        outcome = yield
        report = outcome.get_result()
        found = self._findings.take()
        if not found:
            return
        text = "\n".join(finding["text"] for finding in found)
        if report.failed:
            report.sections.append(("mgpu check", text))
        else:
            report.outcome, report.longrepr = "failed", text


def pytest_configure(config: Any) -> None:
    checks: Optional[str] = config.getoption("--mgpu-check")
    name: Optional[str] = config.getoption("--mgpu-report")
    chip: Optional[str] = config.getoption("--mgpu-chip")
    if chip:
        os.environ.update(MGPU_DRIVER="soft", MGPU_SOFT_CHIP=chip)
    if name and not checks:
        raise _pytest.UsageError("--mgpu-report keeps what --mgpu-check finds: give --mgpu-check=LIST, too")
    if not checks:
        return
    if name is None:
        folder = tempfile.TemporaryDirectory(prefix="mgpu-")
        config.add_cleanup(folder.cleanup)
        name = os.path.join(folder.name, "report")
    else:
        name = os.path.abspath(name)
        open(name, "wb").close()
    os.environ.update(MGPU_DRIVER="soft", MGPU_CHECK=checks, MGPU_REPORT=name)
    config.pluginmanager.register(_Plugin(_Findings(name)), "mgpu")
