"""Money: what was counted (`Counts`) times the dated prices of prices.toml. US dollars, months of 30 days."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

_FOLDER = Path(__file__).parent
PRICES, COUNTS = _FOLDER / "prices.toml", _FOLDER / "counts.json"
_GB = 1e9
_MONTH_SECONDS = 30 * 86_400
_SWEEPS_A_MONTH = 30 * 24 * 60
# a row's bytes and those of its indexes and free space
_INDEXED = 2.5

Step = Literal["visit", "gallery_page", "design", "order"]


@dataclass(frozen=True)
class Count:
    """The work that one step causes.

    `requests`: by service; `bytes_out`: sent by the project; `rows`: written and still there; `row_bytes`: of these,
    without indexes; `stored_bytes`: in Storage; `vendor_calls`: by vendor.
    """

    requests: dict[str, int]
    bytes_out: int
    rows: int
    row_bytes: int
    stored_bytes: int
    vendor_calls: dict[str, int]


Counts = Mapping[Step, Count]


def read_counts(path: Path = COUNTS) -> dict[Step, Count]:
    return {step: Count(**values) for step, values in json.loads(path.read_text(encoding="utf-8")).items()}


def read_prices(path: Path = PRICES) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class OrderCost:
    """One order of `shirts` shirts within the country of free shipping, in dollars."""

    shirts: float
    income: float
    card: float
    printing: float
    shipping: float
    pictures: float
    functions: float
    mail: float

    @property
    def left(self) -> float:
        spent = self.card + self.printing + self.shipping + self.pictures + self.functions + self.mail
        return self.income - spent


def picture_cost(prices: Mapping[str, Any]) -> float:
    """The mean of one picture that a shopper has drawn, at the vendor of the models."""
    models, month = prices["models"], prices["month"]
    photo, lettered = month["photo_share"], month["lettered_share"]
    from_text = models["picture"] * (1 - lettered) + models["lettered_picture"] * lettered
    return float(photo * (models["photo"] + models["cutout"]) + (1 - photo) * from_text)


def function_cost(prices: Mapping[str, Any], seconds: float) -> float:
    """`seconds` of a call, in a container that several calls share while they wait."""
    run = prices["cloud_run"]
    second = run["vcpu"] * run["vcpu_second"] + run["gib"] * run["gib_second"]
    return float(seconds / run["concurrency"] * second + run["million_requests"] / 1e6)


def order_cost(prices: Mapping[str, Any], shirt_price: float) -> OrderCost:
    """With all the pictures that were drawn for it: shoppers who do not buy draw too."""
    month, shirts = prices["month"], prices["month"]["shirts"]
    income = shirts * shirt_price
    drawn = month["designs_drawn"] / month["orders"]
    products = month["designs_saved"] / month["orders"]
    run = prices["cloud_run"]
    seconds = run["order_seconds"] + drawn * run["picture_seconds"] + products * run["product_seconds"]
    return OrderCost(
        shirts=shirts,
        income=income,
        card=income * prices["stripe"]["share"] + prices["stripe"]["fixed"],
        printing=shirts * prices["printify"]["shirt"],
        shipping=prices["printify"]["shipping_first_home"]
        + (shirts - 1) * prices["printify"]["shipping_more_home"],
        pictures=drawn * picture_cost(prices) + products * prices["models"]["enlargement"],
        functions=function_cost(prices, seconds),
        mail=2 * prices["mail"]["thousand"] / 1000,
    )


@dataclass(frozen=True)
class Month:
    """A month of `shoppers`. `requests_second`: at the peak; `database_gb` and `storage_gb`: after `months_stored`."""

    shoppers: int
    orders: float
    requests_second: float
    egress_gb: float
    database_gb: float
    storage_gb: float
    compute: str
    supabase: float
    functions: float
    pictures: float
    mail: float

    @property
    def total(self) -> float:
        return self.supabase + self.functions + self.pictures + self.mail


def month_cost(prices: Mapping[str, Any], counts: Counts, shoppers: int) -> Month:
    """Without printing and cards, which each order pays for itself (`order_cost`)."""
    month, run = prices["month"], prices["cloud_run"]
    times: dict[Step, float] = {
        "visit": month["visits"],
        "gallery_page": month["gallery_pages"],
        "design": month["designs_saved"],
        "order": month["orders"],
    }
    requests = sum(times[step] * sum(counts[step].requests.values()) for step in times) * shoppers
    egress = sum(times[step] * counts[step].bytes_out for step in times) * shoppers / _GB
    stored = shoppers * month["months_stored"]
    database = sum(times[step] * counts[step].row_bytes for step in times) * stored * _INDEXED / _GB
    storage = sum(times[step] * counts[step].stored_bytes for step in times) * stored / _GB
    peak = requests / _MONTH_SECONDS * month["peak"]
    compute = _compute(prices, peak)
    drawn, saved = month["designs_drawn"] * shoppers, month["designs_saved"] * shoppers
    orders = month["orders"] * shoppers
    seconds = drawn * run["picture_seconds"] + saved * run["product_seconds"] + orders * run["order_seconds"]
    calls = drawn + saved + 4 * orders + _SWEEPS_A_MONTH
    return Month(
        shoppers=shoppers,
        orders=orders,
        requests_second=peak,
        egress_gb=egress,
        database_gb=database,
        storage_gb=storage,
        compute=compute,
        supabase=_supabase_cost(prices, compute, egress, database, storage, shoppers),
        functions=function_cost(prices, seconds + _SWEEPS_A_MONTH * run["sweep_seconds"])
        + calls * run["million_requests"] / 1e6,
        pictures=drawn * picture_cost(prices) + saved * prices["models"]["enlargement"],
        mail=(2 * orders + shoppers * 0.1) * prices["mail"]["thousand"] / 1000,
    )


def _compute(prices: Mapping[str, Any], requests_second: float) -> str:
    """The smallest machine that answers the peak with half of its cores, or the largest."""
    cores = requests_second / prices["month"]["requests_per_core"]
    sizes = prices["supabase"]["compute"]
    fitting = [name for name, (_, has) in sizes.items() if has * 0.5 >= cores and name not in ("Micro",)]
    return str(fitting[0] if fitting else list(sizes)[-1])


def _supabase_cost(
    prices: Mapping[str, Any], compute: str, egress: float, database: float, storage: float, users: float
) -> float:
    plan = prices["supabase"]
    beyond = {
        "egress_gb": egress - plan["egress_included_gb"],
        "disk_gb": database - plan["disk_included_gb"],
        "storage_gb": storage - plan["storage_included_gb"],
        "active_user": users - plan["active_users_included"],
    }
    used = sum(max(amount, 0) * plan[name] for name, amount in beyond.items())
    machine = max(plan["compute"][compute][0] - plan["compute_credit_month"], 0)
    return float(plan["plan_month"] + machine + used)
