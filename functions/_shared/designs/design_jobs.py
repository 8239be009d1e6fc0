"""Jobs: pictures and print products that outlive their request.

The function that begins a job does it at once and answers as without one. A call with the same id joins the job. Where
the process dies, the sweep, or another call, goes on once the lease has run out (ADR 40).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from _shared.core.callers import Caller, Callers
from _shared.core.errors import ShopError, not_found, unavailable
from _shared.core.logs import log_trouble
from _shared.designs.design_job_rpc import DesignJob, DesignJobRpc, LeaseLostError, NewJob, Steps
from _shared.designs.design_requests import PhotoRequest, TextRequest
from _shared.designs.images import Picture, open_picture
from _shared.designs.job_models import JobModels, StillWorkingError, Vendor
from _shared.designs.job_work import BUCKET, JobWork, Made, Store
from _shared.designs.print_products import PrintProduct

# what a shopper waits for one model
_PATIENCE_SECONDS = 100.0
# What a call waits for a job that another process does: pages read the row, and callers who join must not occupy the
# function.
_JOIN_SECONDS = 5.0
_JOIN_POLL_SECONDS = 1.0
_SWEEP_SECONDS = 20.0
_MOST_ATTEMPTS = 5
_MOST_AGE = timedelta(minutes=15)
_PAUSE_SECONDS = 10
# ours, and away: what the vendors have begun is not lost
_OURS = ("database_unavailable", "storage_unavailable")
_Outcome = Literal["done", "failed", "left"]


class DesignJobs:
    """Begins, joins and resumes jobs. `pause` waits, `clock` counts seconds, `now` tells the time."""

    def __init__(
        self,
        rpc: DesignJobRpc,
        vendor: Vendor,
        work: JobWork,
        store: Store,
        new_seed: Callable[[], int],
        *,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._rpc = rpc
        self._vendor = vendor
        self._work = work
        self._store = store
        self._new_seed = new_seed
        self._pause = pause
        self._clock = clock
        self._now = now

    def picture_from_text(self, caller: Caller, job_id: UUID, request: TextRequest) -> Picture:
        """PNG."""
        new = NewJob(job_id, "text_picture", _stored(request), self._new_seed())
        return self._picture(caller, new)

    def picture_from_photo(
        self, caller: Caller, job_id: UUID, request: PhotoRequest, photo: Picture
    ) -> Picture:
        """PNG."""
        new = NewJob(job_id, "photo_picture", _stored(request), self._new_seed())
        return self._picture(caller, new, photo)

    def print_product(
        self, caller: Caller, job_id: UUID, design_id: str, image: Picture | None, colors: list[str]
    ) -> PrintProduct:
        """The design's print product; a design has one job at a time, and another id joins it."""
        new = NewJob(job_id, "print_product", {"colors": colors}, self._new_seed(), design_id)
        product = self._run(caller, new, image).result or {}
        return PrintProduct(product["product_id"], product["dpi"], tuple(product["warnings"]))

    def scene_version(
        self, caller: Caller, job_id: UUID, design_id: str, scene: Mapping[str, Any] | None
    ) -> Mapping[str, Any]:
        """A version of the design's scene, as the function answers; another scene of it waits. None joins a job."""
        new = NewJob(job_id, "scene", {"scene": scene}, self._new_seed(), design_id)
        return self._run(caller, new).result or {}

    def _picture(self, caller: Caller, new: NewJob, photo: Picture | None = None) -> Picture:
        picture = self._run(caller, new, photo).picture
        assert picture is not None  # a job of these kinds is done once its picture is stored
        return picture

    def is_known(self, job_id: UUID) -> bool:
        """Tell whether a job with this id was begun in the last day."""
        return self._rpc.find(str(job_id)) is not None

    def resume(self) -> dict[str, int]:
        """Goes on with jobs that were left, for a bounded time. Figures: done, failed."""
        figures = {"design_jobs": 0, "failed_design_jobs": 0}
        end = self._clock() + _SWEEP_SECONDS
        while (left := end - self._clock()) > 0 and (job := self._rpc.claim()) is not None:
            match self._resumed(job, left):
                case "done":
                    figures["design_jobs"] += 1
                case "failed":
                    figures["failed_design_jobs"] += 1
                case "left":
                    pass
        return figures

    def _resumed(self, job: DesignJob, patience: float) -> _Outcome:
        try:
            if job.attempts > _MOST_ATTEMPTS or self._now() - job.created_at > _MOST_AGE:
                problem = _given_up(job)
                self._rpc.fail(job, problem)
                log_trouble(f"design job {job.id}", problem.cause)
                return "failed"
            self._do(job, None, patience, leaves_running=True)
        except (LeaseLostError, StillWorkingError):
            return "left"
        except ShopError as problem:
            log_trouble(f"design job {job.id}, attempt {job.attempts}", problem.cause or problem)
            return "left" if problem.code in _OURS else "failed"
        except Exception as error:  # noqa: BLE001 - one job's fault must not stop the others
            log_trouble(f"design job {job.id}", error)
            return "failed"
        return "done"

    def _run(self, caller: Caller, new: NewJob, image: Picture | None = None) -> Made:
        job, is_ours = self._rpc.begin(Callers.person(caller), new)
        if not is_ours:
            return self._joined(job.id)
        try:
            return self._do(job, image, _PATIENCE_SECONDS, leaves_running=False)
        except LeaseLostError:  # this process stood still for so long that another went on
            return self._joined(job.id)

    def _do(self, job: DesignJob, image: Picture | None, patience: float, *, leaves_running: bool) -> Made:
        steps = Steps(self._rpc, job)
        models = JobModels(
            self._vendor,
            steps,
            patience=patience,
            leaves_running=leaves_running,
            pause=self._pause,
            clock=self._clock,
        )
        try:
            made = self._work.do(job, models, steps, image)
            self._finish(job, made)
        except StillWorkingError:
            self._rpc.leave(job, 0)
            raise
        except LeaseLostError:
            raise
        except ShopError as problem:
            self._end(job, problem)
            raise
        except Exception as error:
            self._end(job, ShopError(500, "internal_error", "Something went wrong on our side.", cause=error))
            raise
        return made

    def _finish(self, job: DesignJob, made: Made) -> None:
        path = ""
        if made.picture:
            path = f"{job.folder}/result.png"
            self._store.put(BUCKET, path, made.picture.data, "image/png")
        self._rpc.finish(job, made.result or {}, path)

    def _end(self, job: DesignJob, problem: ShopError) -> None:
        """For good; but what only failed at our own side is left for the next sweep."""
        try:
            if problem.code in _OURS:
                self._rpc.leave(job, _PAUSE_SECONDS)
            else:
                self._rpc.fail(job, problem)
        except ShopError as trouble:  # the lease runs out by itself
            log_trouble(f"end of design job {job.id}", trouble.cause)

    def _joined(self, job_id: str) -> Made:
        """Return what another process makes; 503 while it is not made."""
        end = self._clock() + _JOIN_SECONDS
        while True:
            job = self._rpc.find(job_id)
            if job is None:  # the design, or the account, was deleted
                raise not_found("Design", "design_not_found")
            if job.problem is not None:
                raise job.problem
            if job.state == "done":
                return self._made(job)
            if self._clock() > end:
                raise ShopError(
                    503,
                    "job_running",
                    "Your design is still being made.",
                    retry_at=self._now() + timedelta(seconds=_JOIN_POLL_SECONDS),
                )
            self._pause(_JOIN_POLL_SECONDS)

    def _made(self, job: DesignJob) -> Made:
        if not job.result_path:
            return Made(result=job.result)
        picture = self._store.get(BUCKET, job.result_path)
        if picture is None:
            raise not_found("Design", "design_not_found")
        return Made(open_picture(picture))


def _stored(request: TextRequest | PhotoRequest) -> dict[str, object]:
    """The request without the photo."""
    return request.model_dump(mode="json", exclude={"image", "job_id"})


def _given_up(job: DesignJob) -> ShopError:
    cause = f"given up after {job.attempts} attempts"
    if job.kind in ("print_product", "scene"):
        return unavailable(
            "printer_unavailable", "Something went wrong preparing the print. Please try again.", cause
        )
    return unavailable(
        "artist_unavailable", "Something went wrong generating the image. Please try again.", cause
    )
