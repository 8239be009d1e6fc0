"""gateway.metrics: an exposition that Prometheus's own parser reads, of one process and of several."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from localbase.gateway.metrics import Metrics, service_of
from prometheus_client.parser import text_string_to_metric_families


def samples(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by its name and labels."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def test_requests_durations_and_bytes_are_counted_by_service() -> None:
    metrics = Metrics()
    metrics.count("rest", 200, 0.003, 10, 200)
    metrics.count("rest", 200, 0.7, 0, 50)
    metrics.count("rest", 404, 500.0, 1, 0)
    counts = samples(metrics)
    of_rest = ("service", "rest")
    assert counts["localbase_requests_total", (of_rest, ("status", "200"))] == 2
    assert counts["localbase_requests_total", (of_rest, ("status", "404"))] == 1
    assert counts["localbase_request_body_bytes_total", (of_rest,)] == 11
    assert counts["localbase_response_body_bytes_total", (of_rest,)] == 250
    buckets = {
        dict(labels)["le"]: value for (name, labels), value in counts.items() if name.endswith("_bucket")
    }
    assert (buckets["0.001"], buckets["0.005"], buckets["1.0"], buckets["120.0"], buckets["+Inf"]) == (
        *(0, 1),
        *(2, 2),
        3,
    )
    assert counts["localbase_request_seconds_count", (of_rest,)] == 3
    assert counts["localbase_request_seconds_sum", (of_rest,)] == 500.703


def test_functions_are_counted_by_slug_beside_their_service() -> None:
    metrics = Metrics()
    metrics.count("functions", 200, 0.1, 5, 7)
    metrics.count_function("look-up", 200, 0.1, 5, 7)
    counts = samples(metrics)
    of_function = ("function", "look-up")
    assert counts["localbase_function_requests_total", (of_function, ("status", "200"))] == 1
    assert counts["localbase_function_request_seconds_count", (of_function,)] == 1
    assert counts["localbase_function_request_body_bytes_total", (of_function,)] == 5
    assert counts["localbase_function_response_body_bytes_total", (of_function,)] == 7
    assert counts["localbase_request_body_bytes_total", (("service", "functions"),)] == 5


def test_counts_of_several_processes_are_added_up(tmp_path: Path) -> None:
    async def steps() -> Metrics:
        first, second = Metrics(tmp_path / "0.json"), Metrics(tmp_path / "1.json")
        first.count("rest", 200, 0.1, 1, 2)
        second.count("rest", 200, 0.1, 10, 20)
        second.count_function("echo", 500, 0.1, 0, 0)
        second.socket_opened("realtime")
        await asyncio.sleep(0.2)
        return first

    counts = samples(asyncio.run(steps()))
    assert counts["localbase_requests_total", (("service", "rest"), ("status", "200"))] == 2
    assert counts["localbase_response_body_bytes_total", (("service", "rest"),)] == 22
    assert counts["localbase_function_requests_total", (("function", "echo"), ("status", "500"))] == 1
    assert counts["localbase_sockets", (("service", "realtime"),)] == 1


def test_count_that_one_process_has_shown_is_shown_by_the_next(tmp_path: Path) -> None:
    async def steps() -> list[float]:
        first, second = Metrics(tmp_path / "0.json"), Metrics(tmp_path / "1.json")
        first.count("rest", 200, 0.1)
        sample = "localbase_requests_total", (("service", "rest"), ("status", "200"))
        return [samples(metrics)[sample] for metrics in (first, second)]

    assert asyncio.run(steps()) == [1, 1]


def test_replaced_process_leaves_its_counts_but_not_its_sockets(tmp_path: Path) -> None:
    async def steps() -> None:
        replaced = Metrics(tmp_path / "0.json")
        replaced.count("rest", 200, 0.1)
        replaced.count_function("echo", 500, 0.1, 0, 0)
        replaced.socket_opened("realtime")
        replaced.text()

    asyncio.run(steps())
    counts = samples(Metrics(tmp_path / "0.json"))
    assert counts["localbase_requests_total", (("service", "rest"), ("status", "200"))] == 1
    assert counts["localbase_function_requests_total", (("function", "echo"), ("status", "500"))] == 1
    assert ("localbase_sockets", (("service", "realtime"),)) not in counts


def test_counts_are_shown_though_they_cannot_be_shared(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def steps() -> float:
        metrics = Metrics(tmp_path / "gone" / "0.json")
        metrics.count("rest", 200, 0.1)
        return samples(metrics)["localbase_requests_total", (("service", "rest"), ("status", "200"))]

    assert asyncio.run(steps()) == 1
    assert "could not be shared" in caplog.text


def test_paths_count_for_their_service() -> None:
    assert [service_of(path) for path in ("/rest/v1/t", "/functions/v1/f", "/x", "nothing")] == [
        *("rest", "functions"),
        *("other", "other"),
    ]
