"""Kills the stack's processes as the plan says. Their supervisor starts them again."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path

from tests.chaos.plan import Plan


class ProcessKiller(threading.Thread):
    """Runs until the plan is done or `stop` is set; `killed` counts by victim."""

    def __init__(self, state: Path, plan: Plan) -> None:
        super().__init__(name="killer")
        self._state = state
        self._plan = plan
        self.stop = threading.Event()
        self.killed: dict[str, int] = {}

    def run(self) -> None:
        for victim, pause in self._plan.kills:
            if self.stop.wait(pause):
                return
            if self._kill(victim):
                self.killed[victim] = self.killed.get(victim, 0) + 1

    def _kill(self, victim: str) -> bool:
        report = json.loads((self._state / "supervisor.json").read_text())
        pid = report["processes"].get(victim)
        if pid is None:  # dead already, and not back yet
            return False
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True
