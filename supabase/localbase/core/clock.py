"""The time, as an argument: services take a `Clock`, tests give their own."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds since the epoch."""

system_clock: Clock = time.time
