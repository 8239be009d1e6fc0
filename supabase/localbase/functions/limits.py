"""The limits of a call, a function and its process."""

from __future__ import annotations

from dataclasses import dataclass

from localbase.core.settings import EdgeRuntimeSettings


@dataclass(frozen=True, slots=True)
class GatewayLimits:
    """Limits of one call, in the gateway. Seconds and bytes."""

    # From the call to the first byte of its response, then between any two parts of it.
    # The platform's request idle time.
    first_byte_seconds: float = 150.0
    idle_seconds: float = 150.0
    body_bytes: int = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Limits of a function's process, which the host watches. Seconds and bytes."""

    # Of resident memory. The process may reserve twice as much.
    memory_bytes: int = 1024 * 1024 * 1024
    # Processor time of one request, or of a process that has none.
    cpu_seconds: float = 60.0
    # From a request's beginning to the end of its response. The platform's wall-clock limit.
    wall_clock_seconds: float = 400.0
    # Requests that run at once, and those that wait for one of them to end.
    concurrency: int = 32
    queue: int = 128
    # Loading the function's code.
    load_seconds: float = 60.0
    # A request that has used so much processor time goes on with a low priority.
    polite_cpu_seconds: float = 0.1
    # A process without requests ends after so long.
    idle_seconds: float = 300.0
    # Old processes of a changed function that still answer requests.
    draining: int = 4
    # Output that is logged for each second; the rest waits in the function.
    log_bytes_per_second: int = 256 * 1024
    # Of the log file, and again of the one before it.
    log_bytes: int = 32 * 1024 * 1024


def process_limits(settings: EdgeRuntimeSettings) -> ProcessLimits:
    """The limits that `[edge_runtime]` sets."""
    return ProcessLimits(
        memory_bytes=settings.memory_limit,
        cpu_seconds=settings.cpu_limit,
        wall_clock_seconds=settings.wall_clock_limit,
        concurrency=max(1, settings.concurrency),
        queue=4 * max(1, settings.concurrency),
    )
