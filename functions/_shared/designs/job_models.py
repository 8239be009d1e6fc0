"""Image models for a job: each step is written down, so that a process that goes on with it pays for none twice.

Work on them makes the same uploads and pictures in the same order each time, for its seed and its request are stored;
the n-th call takes what the n-th call of an earlier process has begun. A vendor may begin, and the process die before
that is stored: such a prediction is found by its inputs, which no other job has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Protocol

from _shared.clients.replicate_api import Prediction, is_ongoing, refusal_of, took_too_long
from _shared.core.errors import ShopError
from _shared.designs.design_job_rpc import Steps

_POLL_SECONDS = 1.0
# well within the lease
_RENEW_SECONDS = 20.0
# what the vendor may work on a prediction whose process has died, before it ends it by itself
_MOST_SECONDS = 300
_MOST_PREDICTIONS = 2


class StillWorkingError(Exception):
    """The vendor has not finished, and this process waits no longer."""


class Vendor(Protocol):
    """`clients.replicate_api.Replicate`."""

    def store(self, picture: bytes, media_type: str) -> str: ...
    def start(self, model: str, inputs: Mapping[str, object], most_seconds: int) -> str: ...
    def find(
        self, model: str, inputs: Mapping[str, object], since: datetime, without: Collection[str]
    ) -> str | None: ...
    def prediction(self, id: str) -> Prediction: ...
    def cancel(self, id: str) -> None: ...
    def output(self, prediction: Prediction) -> bytes: ...


class JobModels:
    """`image_models.ImageModels`. After `patience` seconds for one picture it is cancelled; or left running, with
    `StillWorkingError`, where a later process will look again."""

    def __init__(
        self,
        vendor: Vendor,
        steps: Steps,
        *,
        patience: float,
        leaves_running: bool,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._vendor = vendor
        self._steps = steps
        self._patience = patience
        self._leaves_running = leaves_running
        self._pause = pause
        self._clock = clock
        self._uploads = 0
        self._pictures = 0

    def upload(self, picture: bytes, media_type: str) -> str:
        """Always a file: its address makes the inputs of the next prediction this job's alone."""
        self._uploads += 1
        step = f"upload {self._uploads}"
        if stored := self._steps.get(step):
            return str(stored["address"])
        address = self._vendor.store(picture, media_type)
        self._steps.save(step, {"address": address})
        return address

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        """As `Replicate.picture`: a prediction that failed is given a second chance."""
        self._pictures += 1
        step = f"picture {self._pictures}"
        stored = self._steps.get(step) or {"begun": 0, "predictions": []}
        ids: list[str] = list(stored["predictions"])
        begun = int(stored["begun"])
        while True:
            if begun > len(ids):  # a process died in the gap
                prediction_id = self._vendor.find(model, inputs, self._steps.begun_at, ids)
                ids.append(prediction_id or self._start(step, model, inputs, ids))
            elif not ids or self._may_repeat(prediction := self._wait(ids[-1]), ids):
                ids.append(self._start(step, model, inputs, ids))
            else:
                return self._vendor.output(prediction)
            begun = len(ids)
            self._steps.save(step, {"begun": begun, "predictions": ids})

    def _start(self, step: str, model: str, inputs: Mapping[str, object], ids: list[str]) -> str:
        self._steps.save(step, {"begun": len(ids) + 1, "predictions": ids})
        try:
            return self._vendor.start(model, inputs, _MOST_SECONDS)
        except ShopError:
            # The response may have been lost on its way, after the vendor had begun.
            self._pause(_POLL_SECONDS)
            prediction_id = self._vendor.find(model, inputs, self._steps.begun_at, ids)
            if prediction_id is None:
                raise
            return prediction_id

    def _wait(self, id: str) -> Prediction:
        """The prediction once it has ended."""
        now = self._clock()
        deadline, renewal = now + self._patience, now + _RENEW_SECONDS
        while is_ongoing(prediction := self._vendor.prediction(id)):
            now = self._clock()
            if now > deadline:
                if self._leaves_running:
                    raise StillWorkingError(id)
                self._vendor.cancel(id)
                raise took_too_long(id)
            if now > renewal:
                self._steps.renew()
                renewal = now + _RENEW_SECONDS
            self._pause(_POLL_SECONDS)
        return prediction

    @staticmethod
    def _may_repeat(prediction: Prediction, ids: list[str]) -> bool:
        return (
            prediction["status"] != "succeeded"
            and refusal_of(prediction) is None
            and len(ids) < _MOST_PREDICTIONS
        )
