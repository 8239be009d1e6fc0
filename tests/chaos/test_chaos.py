"""Many checkouts at once while processes are killed and vendors misbehave: no paid order is lost or doubled."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.chaos.goods import goods_of
from tests.chaos.invariants import Figures, Invariants
from tests.chaos.plan import FAULTS, Plan, draw
from tests.chaos.process_killer import ProcessKiller
from tests.chaos.shoppers import Shop, Visit
from tests.support.stacks import Stack
from tests.support.users import Users

SEED = 20261120


def faults(stack: Stack, method: str, plan: dict[str, Any] | None = None) -> dict[str, Any]:
    """Calls the emulators' fault API, and waits for it if it was just killed."""
    deadline = time.monotonic() + 30
    while True:
        try:
            response = httpx.request(method, f"{stack.emulators_url}/faults", json=plan, timeout=10)
        except httpx.HTTPError:
            assert time.monotonic() < deadline, "the emulators are not there"
            time.sleep(0.1)
            continue
        assert response.status_code == 200, response.text
        report: dict[str, Any] = response.json()
        return report


def run_plan(stack: Stack, plan: Plan, shop: Shop) -> tuple[list[Visit], dict[str, int]]:
    """Runs all of it at once. Returns the visits and the number of kills per process."""
    killer = ProcessKiller(stack.state, plan)
    killer.start()
    try:
        with ThreadPoolExecutor(plan.shoppers) as pool:
            visits = list(pool.map(shop.visit, plan.checkouts))
    finally:
        killer.stop.set()
        killer.join()
    return visits, killer.killed


def wait_until_up(stack: Stack) -> None:
    """The last victims are back."""
    deadline = time.monotonic() + 30
    for url in (
        f"{stack.api_url}/health",
        f"{stack.emulators_url}/health",
        f"{stack.mailbox_url}/api/v1/messages",
    ):
        while True:
            try:
                if httpx.get(url, timeout=5).status_code == 200:
                    break
            except httpx.HTTPError:
                pass
            assert time.monotonic() < deadline, f"{url} is not back"
            time.sleep(0.1)


@pytest.mark.timeout(900)
def test_paid_orders_are_not_lost_doubled_or_underpaid(
    chaos_stack: Stack, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    full = bool(request.config.getoption("--full", default=False))
    plan = draw(request.config.getoption("--seed", default=None) or SEED, full=full)
    users = Users(chaos_stack)
    goods = [goods_of(chaos_stack, users, shopper) for shopper in range(plan.shoppers)]
    shop = Shop(chaos_stack, goods, plan.seed)
    faults(chaos_stack, "PUT", {"seed": plan.seed, **FAULTS})
    began = time.monotonic()
    visits, killed = run_plan(chaos_stack, plan, shop)
    stormed = time.monotonic() - began
    done = faults(chaos_stack, "DELETE")["done"]
    wait_until_up(chaos_stack)
    invariants = Invariants(chaos_stack)
    calm = invariants.wait_until_calm(240 if full else 60)
    figures = invariants.compare(visits, lambda visit: shop.email(visit.checkout))
    figures.delivered = invariants.wait_until_delivered(120)
    figures.unordered = invariants.out_of_order()
    with capsys.disabled():
        sys.stdout.write(summary(plan, visits, killed, done, figures, stormed, calm))
    assert figures.violations == []
    assert (figures.lost, figures.doubled) == (0, 0)
    assert figures.charged_cents == figures.owed_cents
    assert figures.delivered == figures.paid - figures.refunded
    assert [flag for flag in invariants.flags() if flag["reason"] != "money_returned"] == []
    assert [visit for visit in visits if visit.was_limited] == []
    # the plan was carried out: every process died at least once, and every kind of fault happened
    assert len(killed) >= 3
    assert {"latency", "error", "drop", "duplicate", "reorder"} <= set(done)
    assert figures.paid >= 0.8 * len(plan.checkouts)


def listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def summary(
    plan: Plan, visits: list[Visit], killed: dict[str, int], done: dict[str, int],
    figures: Figures, stormed: float, calm: float,
) -> str:  # fmt: skip
    """The figures, for people."""
    return (
        f"\nchaos, seed {plan.seed}: {len(visits)} checkouts in {stormed:.1f} s, calm after {calm:.1f} s more\n"
        f"  kills      {sum(killed.values())} ({listed(killed)})\n"
        f"  faults     {sum(done.values())} ({listed(done)})\n"
        f"  shoppers   {sum(v.problems for v in visits)} presses failed, {sum(v.gave_up for v in visits)} gave up\n"
        f"  orders     {figures.paid} paid, {figures.printed} printed, {figures.delivered} delivered, "
        f"{figures.refunded} cancelled and refunded, {figures.unordered} refunds came before their payment, "
        f"{figures.lost} lost, {figures.doubled} doubled\n"
        f"  money      ${figures.charged_cents / 100:.2f} kept by the card company, "
        f"${figures.owed_cents / 100:.2f} in our books\n"
        f"  mail       {figures.repeated_mails} sent again under their own Message-ID\n"
    )
