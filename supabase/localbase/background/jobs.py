"""Runs the jobs of `cron.job` when they are due, each by its own user, and notes how they went.

Which minutes a schedule names is decided in the database (`cron._matches`), where it was checked. A job runs once at a
time; runs that come due meanwhile follow. What was due while the stack was down is not made up for. As with pg_cron.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import psycopg
from psycopg.rows import DictRow

from localbase.background.command import run_command
from localbase.background.requests import Pool, is_installed

_log = logging.getLogger("localbase.background")
_MATCHES = "cron._matches(text,timestamptz)"
_JOBS = "select jobid, cron._seconds(schedule) as seconds from cron.job where active"
_DUE = """
select jobid from cron.job, unnest(%s::timestamptz[], %s::boolean[]) as due(minute, only_fixed)
where active and cron._matches(schedule, minute) and (cron._is_fixed(schedule) or not only_fixed)
order by minute, jobid
"""
_JOB = "select database, username, command from cron.job where jobid = %s and active"
_BEGIN = """
insert into cron.job_run_details (jobid, database, username, command, status, start_time)
values (%s, %s, %s, %s, 'running', clock_timestamp()) returning runid
"""
_PID = "update cron.job_run_details set job_pid = %s where runid = %s"
_END = """
update cron.job_run_details set status = %s, return_message = %s, end_time = clock_timestamp() where runid = %s
"""
_ABANDONED = """
update cron.job_run_details set status = 'failed', return_message = 'server restarted', end_time = clock_timestamp()
where status in ('starting', 'running')
"""
# Jobs at once, times that one may be due while it runs, and rows of its result, which are thrown away.
_AT_ONCE, _MOST_WAITING, _MOST_ROWS = 32, 64, 1_000_000
_MINUTE = timedelta(minutes=1)
_SMALL_JUMP, _LARGE_JUMP = 5, 180


@dataclass(slots=True)
class _Interval:
    """A job every so many seconds, the next time at `due`."""

    seconds: int
    due: datetime


@dataclass(slots=True)
class _State:
    last: datetime
    cron_jobs: bool = False
    intervals: dict[int, _Interval] = field(default_factory=dict)


class Jobs:
    """`url_of` gives the address at which a role logs in."""

    def __init__(self, pool: Pool, url_of: Callable[[str, str], str]) -> None:
        self._pool = pool
        self._url_of = url_of
        self._state = _State(_minute_of(_now()))
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._pending: Counter[int] = Counter()
        self._running: dict[int, asyncio.Task[None]] = {}

    async def begin(self) -> None:
        """Marks the runs that an earlier process has left, and reads the jobs."""
        async with self._pool.connection() as connection:
            if await is_installed(connection, _MATCHES):
                await connection.execute(_ABANDONED)
        self._state = _State(_minute_of(_now()))
        await self.reload()

    async def reload(self) -> None:
        """Reads the jobs, after a change of them."""
        state, now = self._state, _now()
        async with self._pool.connection() as connection:
            rows: list[DictRow] = []
            if await is_installed(connection, _MATCHES):
                rows = await (await connection.execute(_JOBS)).fetchall()
        if not state.cron_jobs:
            # While there was no job there was nothing to look at.
            state.last = _minute_of(now)
        state.cron_jobs = any(row["seconds"] is None for row in rows)
        before = state.intervals
        state.intervals = {}
        for row in rows:
            if (seconds := row["seconds"]) is not None:
                interval = before.get(row["jobid"])
                state.intervals[row["jobid"]] = (
                    interval
                    if interval and interval.seconds == seconds
                    else _Interval(seconds, now + timedelta(seconds=seconds))
                )

    def next_event(self) -> float | None:
        """Seconds until something may be due; None while there are no jobs."""
        now, times = _now(), [each.due for each in self._state.intervals.values()]
        if self._state.cron_jobs:
            times.append(_minute_of(now) + _MINUTE)
        return max(0.0, (min(times) - now).total_seconds()) if times else None

    async def run_due(self) -> None:
        """Begins what is due by now."""
        state, now = self._state, _now()
        for jobid, interval in state.intervals.items():
            if now >= interval.due:
                interval.due = now + timedelta(seconds=interval.seconds)
                if jobid not in self._running:
                    self._enqueue(jobid)
        minutes = list(due_minutes(state.last, now)) if state.cron_jobs else []
        if not minutes:
            return
        state.last = _minute_of(now)
        async with self._pool.connection() as connection:
            values = [[minute.at for minute in minutes], [minute.only_fixed for minute in minutes]]
            rows = await (await connection.execute(_DUE, values)).fetchall()
        for row in rows:
            self._enqueue(row["jobid"])

    async def close(self) -> None:
        """Leaves the jobs that run: Postgres ends them with their connections."""
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _enqueue(self, jobid: int) -> None:
        if self._pending[jobid] >= _MOST_WAITING:
            _log.warning("job %d is due more often than it ends; this run is left out", jobid)
            return
        self._pending[jobid] += 1
        if jobid not in self._running:
            self._running[jobid] = asyncio.create_task(self._run_pending(jobid))

    async def _run_pending(self, jobid: int) -> None:
        try:
            while self._pending[jobid]:
                self._pending[jobid] -= 1
                async with self._room:
                    await self._run(jobid)
        except psycopg.OperationalError as error:
            _log.warning("job %d was cut off: %s", jobid, error)
        finally:
            self._pending.pop(jobid, None)
            del self._running[jobid]

    async def _run(self, jobid: int) -> None:
        async with self._pool.connection() as connection:
            job = await (await connection.execute(_JOB, [jobid])).fetchone()
            if job is None:
                return
            values = [jobid, job["database"], job["username"], job["command"]]
            run = await (await connection.execute(_BEGIN, values)).fetchone()
        assert run is not None
        status, message = await self._execute(job, run["runid"])
        async with self._pool.connection() as connection:
            await connection.execute(_END, [status, message, run["runid"]])

    async def _execute(self, job: DictRow, runid: int) -> tuple[str, str]:
        """Status and message, in pg_cron's words."""
        try:
            url = self._url_of(job["username"], job["database"])
            connection = await psycopg.AsyncConnection.connect(
                url, autocommit=True, application_name="pg_cron"
            )
            try:
                async with self._pool.connection() as own:
                    await own.execute(_PID, [connection.info.backend_pid, runid])
                return await run_command(connection, job["command"], _MOST_ROWS)
            finally:
                # As it is: in the midst of a COPY there is nothing to commit.
                await connection.close()
        except psycopg.OperationalError as error:
            if error.sqlstate is None:
                return "failed", f"connection failed: {str(error).strip()}"
            return "failed", f"ERROR:  {error.diag.message_primary}"
        except psycopg.Error as error:
            return "failed", f"ERROR:  {error.diag.message_primary or error}"


def _now() -> datetime:
    return datetime.now(UTC)


class DueMinute(NamedTuple):
    """`only_fixed`: jobs whose minute or hour is any are not due."""

    at: datetime
    only_fixed: bool


def _minute_of(moment: datetime) -> datetime:
    """The minute that it is in."""
    return moment.replace(second=0, microsecond=0)


def due_minutes(last: datetime, now: datetime) -> Iterator[DueMinute]:
    """The minutes behind `last`, the one that was looked at last, up to `now`'s, also when the clock has jumped.

    As pg_cron, and cron before it: of a few missed minutes everything is made up for, of some hours only jobs at a
    fixed time; a larger jump, and one back, is another time and no missed one.
    """
    current = _minute_of(now)
    passed = round((current - last) / _MINUTE)
    if passed == 0 or -_LARGE_JUMP < passed < 0:
        return  # what was due in these minutes has run
    if 0 < passed <= _LARGE_JUMP:
        for number in range(1, passed):
            yield DueMinute(last + number * _MINUTE, only_fixed=passed > _SMALL_JUMP)
    yield DueMinute(current, only_fixed=False)
