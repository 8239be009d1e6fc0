"""The owner's watch over the database: fails over when the primary takes no writes, lets go of a standby that is gone.

As Patroni's synchronous mode does it: a standby that did not hold the last acknowledged commit is never promoted.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress

import psycopg

from tests.many.database import Pair

# As a shop's transaction it needs room: rows of before are thrown away at once, and new pages are taken.
_BEAT = """
set synchronous_commit = local;
begin;
truncate heartbeat;
insert into heartbeat select now(), string_agg(md5(random()::text), '') from generate_series(1, 500);
commit
"""
_PAUSE, _FAILURES = 0.5, 3


class Operator(threading.Thread):
    """`lock` is held for whoever else changes the pair. `events` say what was done, with the time."""

    def __init__(self, pair: Pair) -> None:
        super().__init__(name="operator", daemon=True)
        self.pair = pair
        self.lock = threading.Lock()
        self.events: list[tuple[float, str]] = []
        self.holding = True
        self._stop_it = threading.Event()
        pair.primary.sql("create table if not exists heartbeat (at timestamptz, filling text)")

    def run(self) -> None:
        failures = absences = 0
        while not self._stop_it.wait(_PAUSE):
            with self.lock:
                failures = 0 if self._takes_writes() else failures + 1
                if failures >= _FAILURES and self.holding:
                    self._note("fenced the primary, promoted the standby", self.pair.fail_over)
                    self.holding, failures = False, 0
                    continue
                if failures:
                    continue
                absences = 0 if not self.holding or self._has_standby() else absences + 1
                if absences >= _FAILURES:
                    self._note("let go of the standby", self.pair.let_go)
                    self.holding, absences = False, 0

    def stop(self) -> None:
        self._stop_it.set()
        self.join()

    def hold_on(self) -> None:
        """The standby is back: from now on it holds what is acknowledged. The caller has the lock."""
        self._note("holds on to the standby", self.pair.hold_on)
        self.holding = True

    def rejoin(self) -> None:
        """The fenced machine is the standby now. The caller has the lock."""
        self._note("made the old primary the standby", self.pair.rejoin)
        self.holding = True

    def _note(self, what: str, act: object) -> None:
        assert callable(act)
        began = time.monotonic()
        act()
        self.events.append((time.time(), f"{what} in {time.monotonic() - began:.1f} s"))

    def _takes_writes(self) -> bool:
        try:
            self.pair.primary.sql(_BEAT, seconds=1)
        except psycopg.Error:
            return False
        return True

    def _has_standby(self) -> bool:
        with suppress(psycopg.Error):
            return self.pair.is_synchronous()
        return False
