"""Which part fails how, and how it comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.many.many import Many, wait_for
from tests.many.network import Machine
from tests.many.operator import Operator

Kind = Literal["killed", "frozen", "filled", "cut off"]

# By part, one kind a round.
PLAN: dict[str, tuple[Kind, Kind, Kind]] = {
    "primary": ("killed", "frozen", "cut off"),
    "standby": ("filled", "cut off", "killed"),
    "gateway1": ("killed", "cut off", "frozen"),
    "gateway2": ("frozen", "killed", "cut off"),
    "functions1": ("cut off", "killed", "frozen"),
    "functions2": ("killed", "frozen", "cut off"),
    "s3": ("frozen", "filled", "killed"),
    "mails": ("filled", "cut off", "killed"),
    "edge": ("killed", "frozen", "cut off"),
    "pooler": ("cut off", "killed", "frozen"),
    # once more, with no room for a row
    "primary again": ("filled", "killed", "filled"),
}
# Machines whose disk can be filled, in megabytes.
DISKS = {"db1": 500, "db2": 500, "s3": 3000, "mails": 64}
_RESTART_SECONDS = 2.0


@dataclass(frozen=True)
class Fault:
    part: str
    kind: Kind

    def __str__(self) -> str:
        return f"{self.part.removesuffix(' again')} {self.kind}"


def faults_of(round_number: int) -> list[Fault]:
    return [Fault(part, kinds[round_number % 3]) for part, kinds in PLAN.items()]


class Saboteur:
    """Carries a fault out, and ends it."""

    def __init__(self, many: Many, operator: Operator) -> None:
        self._many = many
        self._operator = operator
        self._starters = many.starters()

    def machine(self, fault: Fault) -> Machine:
        if fault.part.startswith("primary"):
            return self._many.database.primary.machine
        if fault.part == "standby":
            return self._many.database.standby.machine
        return self._many.network.machines[fault.part]

    def carry_out(self, fault: Fault, seconds: float) -> None:
        """The fault, for as long, and the way back. Returns once its own part works again."""
        machine = self.machine(fault)
        match fault.kind:
            case "killed":
                machine.kill()
            case "frozen":
                machine.freeze()
            case "cut off":
                machine.cut()
            case "filled":
                fill(machine.folder / "disk")
        if fault.kind == "killed" and machine.name in self._starters:
            # its process manager
            time.sleep(_RESTART_SECONDS)
            self._starters[machine.name]()
            return
        time.sleep(seconds)
        self._end(fault, machine)

    def _end(self, fault: Fault, machine: Machine) -> None:
        if fault.part.startswith("primary"):
            wait_for(lambda: self._many.database.primary.machine is not machine, 60, "the failover")
        free(machine.folder / "disk")
        if machine.name in ("db1", "db2"):
            self._end_of_database(fault, machine)
            return
        machine.mend()
        machine.thaw()

    def _end_of_database(self, fault: Fault, machine: Machine) -> None:
        with self._operator.lock:
            if fault.part.startswith("primary"):
                self._operator.rejoin()
                return
            machine.mend()
            machine.thaw()
            if not machine.processes():
                self._many.database.standby.start()
            if not self._operator.holding:
                self._operator.hold_on()


def fill(disk: Path) -> None:
    """Writes until nothing fits any more."""
    assert disk.is_mount(), disk
    for size in (1 << 20, 4096, 1):
        with (disk / f"filler-{size}").open("wb", buffering=0) as filler:
            _until_full(lambda filler=filler, size=size: filler.write(b"\0" * size))  # type: ignore[misc]


def _until_full(write: Callable[[], object]) -> None:
    while True:
        try:
            write()
        except OSError:
            return


def free(disk: Path) -> None:
    for filler in disk.glob("filler-*"):
        filler.unlink()
