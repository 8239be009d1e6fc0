"""A job whose process dies at any write: what runs on its models again pays for no step twice."""

# ruff: noqa: ARG002 - the fake has the client's signatures

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from _shared.clients.replicate_api import Prediction
from _shared.core.errors import ShopError, prompt_refused, unavailable
from _shared.core.usage import Usage
from _shared.designs.design_job_rpc import DesignJob, DesignJobRpc, LeaseLostError, Steps
from _shared.designs.image_generation import ImageGenerator
from _shared.designs.job_models import JobModels, StillWorkingError

from tests.shop.unit.functions.clients.test_replicate_client import Time
from tests.shop.unit.functions.designs.test_image_generation import LETTERED, MODEL_NAMES, png
from tests.shop.unit.functions.fakes import FakeDatabase

LEASE = "lease"
AWAY = unavailable("artist_unavailable", "Something went wrong.", "away")


class KilledError(BaseException):
    """The process is gone."""


class Vendor:
    """Models that end after `polls` looks. `lost` is how many of the next beginnings lose their response."""

    def __init__(self, **outputs: bytes) -> None:
        self.outputs = outputs
        self.begun: list[tuple[str, dict[str, Any]]] = []
        self.failures: list[str] = []
        self.stored: list[bytes] = []
        self.polls = 0
        self.lost = 0
        self.refuses = False
        self.cancelled: list[str] = []

    def store(self, picture: bytes, media_type: str) -> str:
        self.stored.append(picture)
        return f"file {len(self.stored)} of {media_type}"

    def start(self, model: str, inputs: Mapping[str, object], most_seconds: int) -> str:
        if self.refuses:
            raise AWAY
        self.begun.append((model, dict(inputs)))
        if self.lost:
            self.lost -= 1
            raise AWAY
        return str(len(self.begun))

    def find(
        self, model: str, inputs: Mapping[str, object], since: datetime, without: Collection[str]
    ) -> str | None:
        for number, begun in enumerate(self.begun, 1):
            if begun == (model, inputs) and str(number) not in without:
                return str(number)
        return None

    def prediction(self, id: str) -> Prediction:
        self.polls -= 1
        if self.polls > 0:
            return {"id": id, "status": "processing"}
        error = self.failures.pop(0) if self.failures else ""
        return {"id": id, "status": "failed" if error else "succeeded", "error": error}

    def cancel(self, id: str) -> None:
        self.cancelled.append(id)

    def output(self, prediction: Prediction) -> bytes:
        if prediction["status"] != "succeeded":
            raise prompt_refused(prediction["error"])
        model, _ = self.begun[int(prediction["id"]) - 1]
        return self.outputs["cut" if model == MODEL_NAMES.cutout else "made"]


class StepData(FakeDatabase):
    """A job's row. The process dies before the `dies_before`-th write, or after the `dies_after`-th."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: dict[str, Any] = {}
        self.writes = 0
        self.dies_before = self.dies_after = 0
        self.is_lost = False

    def value(self, function: str, arguments: Mapping[str, Any]) -> object:
        assert (function, arguments["of_lease"]) == ("save_design_job_step", LEASE)
        self.writes += 1
        if self.writes == self.dies_before:
            raise KilledError
        if self.is_lost:
            return False
        if arguments["step"]:
            self.steps[arguments["step"]] = json.loads(json.dumps(arguments["step_value"]))
        if self.writes == self.dies_after:
            raise KilledError
        return True


def steps_of(data: StepData) -> Steps:
    job = DesignJob(
        id="job", user_id="maker", kind="text_picture", state="running", design_id="", request={}, seed=1,
        steps=json.loads(json.dumps(data.steps)), lease=LEASE, attempts=1, created_at=datetime.now(UTC), result={},
        result_path="", problem=None,
    )  # fmt: skip
    return Steps(DesignJobRpc(data, Usage(data, {})), job)


def models_of(
    data: StepData, vendor: Vendor, time: Time | None = None, *, leaves_running: bool = False
) -> JobModels:
    time = time or Time()
    return JobModels(
        vendor,
        steps_of(data),
        patience=100,
        leaves_running=leaves_running,
        pause=time.pause,
        clock=time.clock,
    )


def make(data: StepData, vendor: Vendor) -> bytes:
    """A lettered picture and its cut-out: two predictions and an upload."""
    generator = ImageGenerator(models_of(data, vendor), MODEL_NAMES, lambda: 7)
    return generator.from_text(LETTERED).data


def vendor_of_two() -> Vendor:
    return Vendor(made=png(0), cut=png(0.4))


def writes_of_a_picture() -> int:
    data = StepData()
    assert make(data, vendor_of_two()) == png(0.4)
    return data.writes


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("write", range(1, 6))
def test_process_that_dies_at_a_write_leads_to_no_second_prediction(stored: bool, write: int) -> None:
    data, vendor = StepData(), vendor_of_two()
    data.dies_before, data.dies_after = (0, write) if stored else (write, 0)
    with pytest.raises(KilledError):
        make(data, vendor)
    assert make(data, vendor) == png(0.4)
    assert [model for model, _ in vendor.begun] == [MODEL_NAMES.lettering, MODEL_NAMES.cutout]


def test_every_write_of_a_picture_is_in_the_test_above() -> None:
    assert writes_of_a_picture() == 5


def test_lost_response_of_a_beginning_is_found_at_the_vendor() -> None:
    data, vendor = StepData(), vendor_of_two()
    vendor.lost = 2
    assert make(data, vendor) == png(0.4)
    assert len(vendor.begun) == 2


def test_vendor_that_refuses_to_begin_is_an_error() -> None:
    data, vendor = StepData(), vendor_of_two()
    vendor.refuses = True
    with pytest.raises(ShopError) as caught:
        make(data, vendor)
    assert caught.value is AWAY


def test_failed_prediction_has_a_second_chance_also_across_processes() -> None:
    data, vendor = StepData(), vendor_of_two()
    vendor.failures = ["CUDA out of memory"]
    # the second beginning is stored, and the process dies before the vendor hears of it
    data.dies_after = 3
    with pytest.raises(KilledError):
        make(data, vendor)
    assert make(data, vendor) == png(0.4)
    assert [model for model, _ in vendor.begun] == [MODEL_NAMES.lettering] * 2 + [MODEL_NAMES.cutout]
    assert data.steps["picture 1"] == {"begun": 2, "predictions": ["1", "2"]}


@pytest.mark.parametrize(
    "errors", [["flagged as sensitive (E005)"], ["English. (code: SAMPLE-LANGUAGE)"], ["CUDA", "CUDA"]]
)
def test_refusal_and_second_failure_are_errors(errors: list[str]) -> None:
    data, vendor = StepData(), vendor_of_two()
    vendor.failures = list(errors)
    with pytest.raises(ShopError):
        make(data, vendor)
    assert len(vendor.begun) == len(errors)


def test_prediction_that_takes_too_long_is_cancelled_for_a_caller_and_left_by_the_sweep() -> None:
    data, vendor = StepData(), vendor_of_two()
    vendor.polls = 1000
    with pytest.raises(StillWorkingError):
        models_of(data, vendor, leaves_running=True).picture("a/b", {"seed": 1})
    assert vendor.cancelled == []
    with pytest.raises(ShopError) as caught:
        models_of(data, vendor).picture("a/b", {"seed": 1})
    assert (caught.value.status, caught.value.error) == (
        502,
        "This is taking too long. Please try again.",
    )
    assert vendor.cancelled == ["1"]


def test_lease_is_renewed_while_the_vendor_works() -> None:
    data, vendor, time = StepData(), vendor_of_two(), Time()
    vendor.polls = 60
    models_of(data, vendor, time).picture("a/b", {"seed": 1})
    # the beginning, its id, and two renewals in a minute
    assert data.writes == 4


def test_process_without_its_lease_begins_nothing() -> None:
    data, vendor = StepData(), vendor_of_two()
    data.is_lost = True
    with pytest.raises(LeaseLostError):
        make(data, vendor)
    assert vendor.begun == []
