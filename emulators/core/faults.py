"""Vendors on a bad day, on demand: `PUT /faults` with a plan, `GET /faults` for what was done, `DELETE /faults` to end.

A plan names chances between 0 and 1; off by default. It is stored, so that it outlives a killed process:

    {"seed": 7, "vendors": ["stripe", "printify"],
     "requests": {"latency": 0.2, "latency_ms": 800, "error": 0.1, "drop": 0.1, "late": 0.1, "late_ms": 5000},
     "only": "POST /v1/models/",
     "webhooks": {"duplicate": 0.3, "reorder": 0.3, "reorder_ms": 3000}}

`error` answers 503 before anything is done; `drop` does everything and closes the connection without an answer;
`late` does everything and answers later. `only` restricts the requests' faults to those whose method and path begin so.
The n-th decision of a plan is always the same.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from emulators.core.inputs import read_json
from emulators.core.store import Document, Store

_KIND, _ID = "faults", "plan"
_KNOWN = {
    "requests": {"latency", "latency_ms", "error", "drop", "late", "late_ms"},
    "webhooks": {"duplicate", "reorder", "reorder_ms"},
}


_LONGEST_MS = 600_000


class PlanError(Exception):
    """A plan that cannot be followed; the message says why."""


class Faults:
    """The plan, its dice and its count of what was done."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._plan: Document | None = store.get(_KIND, _ID)

    def set(self, plan: object) -> None:
        self._plan = self._store.put(_KIND, {**_checked(plan), "id": _ID, "thrown": 0, "done": {}})

    def clear(self) -> None:
        self._plan = None
        self._store.delete(_KIND, _ID)

    def report(self) -> dict[str, Any]:
        """The plan and how often each fault was done."""
        if self._plan is None:
            return {"plan": None, "done": {}}
        plan = {name: self._plan[name] for name in ("seed", "vendors", "requests", "webhooks", "only")}
        return {"plan": plan, "done": self._plan["done"]}

    def happens(self, vendor: str, where: str, fault: str) -> bool:
        """Tell whether this fault is due now; one that is counts as done."""
        plan = self._plan
        if plan is None or vendor not in plan["vendors"]:
            return False
        chance = float(plan[where].get(fault, 0))
        if not chance:
            return False
        plan["thrown"] += 1
        due = random.Random(f"{plan['seed']}:{plan['thrown']}").random() < chance
        if due:
            plan["done"][fault] = plan["done"].get(fault, 0) + 1
        self._store.put(_KIND, plan)
        return due

    def meets(self, method: str, path: str) -> bool:
        """Tell whether the requests' faults are meant for this request."""
        return self._plan is not None and f"{method} {path}".startswith(self._plan["only"])

    def seconds(self, where: str, name: str, default_ms: int) -> float:
        """A duration of the plan: a part of the time that it names."""
        plan = self._plan or {}
        longest = float(plan.get(where, {}).get(name, default_ms)) / 1000
        return longest * random.Random(f"{plan.get('seed')}:{plan.get('thrown')}:length").uniform(0.2, 1)


def _checked(plan: object) -> Document:
    if not isinstance(plan, dict):
        raise PlanError("a plan is a JSON object")
    unknown = set(plan) - {"seed", "vendors", "only", *_KNOWN}
    checked: Document = {
        "seed": plan.get("seed", 0),
        "vendors": plan.get("vendors", ["stripe", "printify"]),
        "only": plan.get("only", ""),
    }
    if not isinstance(checked["only"], str):
        raise PlanError("only is the beginning of a method and a path")
    if not isinstance(checked["seed"], int):
        raise PlanError("seed is a whole number")
    if not isinstance(checked["vendors"], list):
        raise PlanError("vendors is a list of names")
    for where, names in _KNOWN.items():
        chances = plan.get(where, {})
        if not isinstance(chances, dict):
            raise PlanError(f"{where} is a JSON object")
        unknown |= {f"{where}.{name}" for name in set(chances) - names}
        for name, value in chances.items():
            largest = _LONGEST_MS if name.endswith("_ms") else 1
            if not isinstance(value, int | float) or not 0 <= value <= largest:
                raise PlanError(
                    f"{where}.{name} is a chance between 0 and 1, or at most {_LONGEST_MS} milliseconds"
                )
        checked[where] = chances
    if unknown:
        raise PlanError(f"unknown: {', '.join(sorted(unknown))}")
    return checked


class FaultMiddleware:
    """Middleware around one vendor's API; its pages and pictures are left alone."""

    def __init__(self, app: ASGIApp, vendor: str, faults: Faults) -> None:
        self._app = app
        self._vendor = vendor
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "/v1/" not in scope["path"] or scope["method"] == "OPTIONS":
            await self._app(scope, receive, send)
            return
        if not self._faults.meets(scope["method"], scope["path"][scope["path"].index("/v1/") :]):
            await self._app(scope, receive, send)
            return
        if self._faults.happens(self._vendor, "requests", "latency"):
            await asyncio.sleep(self._faults.seconds("requests", "latency_ms", 1000))
        if self._faults.happens(self._vendor, "requests", "error"):
            response = JSONResponse({"error": {"type": "api_error", "message": "Try again later."}}, 503)
            await response(scope, receive, send)
        elif self._faults.happens(self._vendor, "requests", "drop"):
            await self._work_and_hang_up(scope, receive, send)
        elif self._faults.happens(self._vendor, "requests", "late"):
            await self._work_and_answer_late(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _work_and_answer_late(self, scope: Scope, receive: Receive, send: Send) -> None:
        messages: list[Message] = []

        async def hold(message: Message) -> None:
            messages.append(message)

        await self._app(scope, receive, hold)
        await asyncio.sleep(self._faults.seconds("requests", "late_ms", 5000))
        for message in messages:
            await send(message)

    async def _work_and_hang_up(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def swallow(_message: Message) -> None:
            return

        await self._app(scope, receive, swallow)
        # An answer that was begun and never finished makes the server close the connection.
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1")]})


def routes(faults: Faults) -> list[BaseRoute]:
    async def show(_request: Request) -> Response:
        return JSONResponse(faults.report())

    async def change(request: Request) -> Response:
        try:
            faults.set(read_json(await request.body()))
        except (ValueError, PlanError) as error:
            return JSONResponse({"error": f"not a plan: {error}"}, 400)
        return JSONResponse(faults.report())

    async def clear(_request: Request) -> Response:
        report = faults.report()
        faults.clear()
        return JSONResponse(report)

    return [
        Route("/faults", show, methods=["GET"]),
        Route("/faults", change, methods=["PUT"]),
        Route("/faults", clear, methods=["DELETE"]),
    ]
