"""A round's figures, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.many.course import Result, Span
from tests.many.probes import PROBES, longest_wait

HEAD = (
    "| fault | back after | reads: longest wait, errors | writes | functions | files "
    "| visitors: p50 / p99 ms, errors | Realtime |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
)


def table(result: Result) -> str:
    looks = _read(result.looks)
    return HEAD + "".join(_row(result, span, looks) for span in result.spans)


def _row(result: Result, span: Span, looks: Sequence[tuple[float, float, int]]) -> str:
    cells = [str(span.fault), f"{span.end - span.start:.1f} s"]
    asks = list(result.probes.asks)
    for probe in PROBES:
        wait = longest_wait(asks, probe, span.start, span.end)
        errors = sum(
            not each.good for each in asks if each.probe == probe and span.start <= each.began <= span.end
        )
        cells.append(f"{wait:.1f} s, {errors}")
    mine = [look for look in looks if span.start <= look[0] <= span.end]
    times = sorted(seconds * 1000 for _, seconds, status in mine if status == 200)
    failed = sum(status != 200 for _, _, status in mine)
    cells.append(
        f"{_share(times, 0.5):.0f} / {_share(times, 0.99):.0f}, {failed} of {len(mine)}" if times else "–"
    )
    told = [(when, what) for when, what in result.told if span.start <= when <= span.end]
    cells.append(", ".join(f"{what} {when - span.start:.0f} s" for when, what in told) or "–")
    return f"| {' | '.join(cells)} |\n"


def summary(result: Result) -> str:
    """What was proved, in lines."""
    figures, proof = result.proof.figures, result.proof
    shoppers = result.visits
    lines = [
        f"{len(shoppers)} checkouts in {result.shopped_seconds:.0f} s, {figures.paid} orders paid, "
        f"{figures.printed} printed, {figures.refunded} cancelled and refunded, {figures.lost} lost, "
        f"{figures.doubled} doubled; {sum(visit.problems for visit in shoppers)} presses failed, "
        f"{sum(visit.gave_up for visit in shoppers)} gave up",
        f"${figures.charged_cents / 100:.2f} kept by the card company, ${figures.owed_cents / 100:.2f} in the books; "
        f"{proof.compare_payments}",
        f"{proof.pictures} pictures kept ({result.drawing.gave_up} gave up), {proof.files} files and {proof.rows} "
        f"rows acknowledged, {proof.mails} mails: all there"
        if not proof.violations
        else "LOST: " + "; ".join(proof.violations),
        *result.notes,
    ]
    return "".join(f"- {line}\n" for line in lines)


def _read(path: Path) -> list[tuple[float, float, int]]:
    looks = []
    for line in path.read_text().splitlines():
        began, seconds, status = line.split()
        looks.append((float(began), float(seconds), int(status)))
    return looks


def _share(times: Sequence[float], share: float) -> float:
    return times[int((len(times) - 1) * share)]
