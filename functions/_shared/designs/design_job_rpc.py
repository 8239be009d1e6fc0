"""Jobs as rows: begun, leased, stepped and ended by sql/migrations/…_design_jobs.sql."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args
from uuid import UUID

from _shared.core.callers import Caller
from _shared.core.data import Data, Row
from _shared.core.errors import ShopError
from _shared.core.outcomes import one_of
from _shared.core.usage import LEASE_SECONDS as USAGE_SECONDS
from _shared.core.usage import REACHED, Kind, Usage

JobKind = Literal["text_picture", "photo_picture", "print_product", "scene"]
JobState = Literal["running", "done", "failed"]
_STATES: tuple[JobState, ...] = get_args(JobState)
_KINDS: tuple[JobKind, ...] = get_args(JobKind)
# Longer than a request to a vendor and than a picture is worked on, both of which renew it; soon enough for a shopper
# who waits.
_LEASE_SECONDS = 60


class LeaseLostError(Exception):
    """The job is another process's by now, or ended, or deleted: nothing may be done for it any more."""


@dataclass(frozen=True)
class DesignJob:
    """`lease` is empty for a job that this process does not do. `steps` are those of earlier processes."""

    id: str
    user_id: str
    kind: JobKind
    state: JobState
    design_id: str
    request: Mapping[str, Any]
    seed: int
    steps: Mapping[str, Any]
    lease: str
    attempts: int
    created_at: datetime
    result: Mapping[str, Any]
    result_path: str
    problem: ShopError | None

    @property
    def folder(self) -> str:
        """Of its objects in the bucket `design-jobs`."""
        return f"{self.user_id}/{self.id}"


@dataclass(frozen=True)
class NewJob:
    """A caller's order for a job; `id` is the caller's choice."""

    id: UUID
    kind: JobKind
    request: Mapping[str, Any]
    seed: int
    design_id: str = ""


class DesignJobRpc:
    """The SQL functions. Those that write raise `LeaseLostError` where the lease is lost."""

    def __init__(self, data: Data, usage: Usage) -> None:
        self._data = data
        self._usage = usage

    def begin(self, caller: Caller, new: NewJob) -> tuple[DesignJob, bool]:
        """The job of that id, and whether it is the caller's to do. 409 for another's id, 429 and 503 at limits."""
        kind: Kind = new.kind if new.kind in ("print_product", "scene") else "picture"
        (row,) = self._data.call(
            "begin_design_job",
            {
                "job": str(new.id),
                "of_user": caller.id,
                "job_kind": new.kind,
                "of_design": new.design_id or None,
                "job_request": dict(new.request),
                "job_seed": new.seed,
                **self._usage.limit_arguments(kind),
                "usage_seconds": USAGE_SECONDS,
                "lease_seconds": _LEASE_SECONDS,
            },
        )
        match row["outcome"]:
            case "claimed" | "running" | "done" | "failed":
                return _job(row["design_job"]), row["outcome"] == "claimed"
            case "taken":
                raise ShopError(409, "job_taken", "That is not possible. Please start again.")
            case "crowded":
                raise ShopError(
                    429,
                    "too_many_jobs",
                    "You have too many designs in the making. Please wait for them.",
                    retry_at=datetime.fromisoformat(row["open_at"]),
                )
            case reached:
                raise self._usage.limit_reached(kind, one_of(REACHED, reached), row["open_at"])

    def claim(self) -> DesignJob | None:
        """A job that its process has left."""
        rows = self._data.call("claim_design_job", {"lease_seconds": _LEASE_SECONDS})
        return _job(rows[0]) if rows else None

    def find(self, job_id: str) -> DesignJob | None:
        rows = self._data.call("get_design_job", {"job": job_id})
        return _job(rows[0]) if rows else None

    def save_step(self, job: DesignJob, step: str, value: Mapping[str, Any]) -> None:
        """Stores what a step has begun, and renews the lease; an empty step renews alone."""
        arguments = {"step": step, "step_value": dict(value), "lease_seconds": _LEASE_SECONDS}
        self._call("save_design_job_step", job, arguments)

    def leave(self, job: DesignJob, pause_seconds: int) -> None:
        """For the next process; with a pause it counts as an attempt."""
        arguments = {"job": job.id, "of_lease": job.lease, "pause_seconds": pause_seconds}
        self._data.value("leave_design_job", arguments)

    def finish(self, job: DesignJob, result: Mapping[str, Any], result_path: str) -> None:
        self._call("finish_design_job", job, {"job_result": dict(result), "object": result_path or None})

    def fail(self, job: DesignJob, problem: ShopError) -> None:
        arguments = {
            "public_error": problem.error,
            "code": problem.code,
            "status": problem.status,
            "cause": str(problem.cause or ""),
        }
        self._call("fail_design_job", job, arguments)

    def _call(self, function: str, job: DesignJob, arguments: Mapping[str, object]) -> None:
        if not self._data.value(function, {"job": job.id, "of_lease": job.lease, **arguments}):
            raise LeaseLostError(job.id)


class Steps:
    """The vendors' orders for a job, by the names of its steps; stored before anything waits on it."""

    def __init__(self, rpc: DesignJobRpc, job: DesignJob) -> None:
        self._rpc = rpc
        self._job = job
        self._values: dict[str, dict[str, Any]] = dict(job.steps)

    @property
    def begun_at(self) -> datetime:
        """No prediction of the job is older. A vendor's clock may differ by a little."""
        return self._job.created_at - timedelta(minutes=2)

    def get(self, step: str) -> dict[str, Any] | None:
        return self._values.get(step)

    def save(self, step: str, value: dict[str, Any]) -> None:
        self._rpc.save_step(self._job, step, value)
        self._values[step] = value

    def renew(self) -> None:
        """Keeps the lease while a vendor works."""
        self._rpc.save_step(self._job, "", {})


def _job(row: Row) -> DesignJob:
    state = one_of(_STATES, row["state"])
    return DesignJob(
        id=str(row["id"]),
        user_id=str(row["user_id"]),
        kind=one_of(_KINDS, row["kind"]),
        state=state,
        design_id=str(row["design_id"] or ""),
        request=row["request"],
        seed=int(row["seed"]),
        steps=row["steps"],
        lease=str(row["lease"] or ""),
        attempts=int(row["attempts"]),
        created_at=datetime.fromisoformat(row["created_at"]).astimezone(UTC),
        result=row["result"] or {},
        result_path=str(row["result_path"] or ""),
        problem=(
            ShopError(int(row["error_status"]), str(row["error_code"]), str(row["error"]))
            if state == "failed"
            else None
        ),
    )
