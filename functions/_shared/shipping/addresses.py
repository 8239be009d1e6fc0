"""Shipping addresses: the checkout form's fields, their limits, and their form at the printer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from _shared.core.email_addresses import ascii_email
from _shared.core.visible_text import has_hidden_characters, is_blank, without_copied_marks
from _shared.shipping.address_rules import rules_of
from _shared.shipping.contact import check_country_code, dialled_number, parse_email, parse_phone
from _shared.shipping.countries import US_TERRITORIES, country_name, is_shipped_to, us_territory

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_LABEL = json.loads(Path(__file__).with_name("parcel_label.json").read_text(encoding="utf-8"))
_LONGEST: dict[str, int] = _LABEL["longest"]
_NOT_PRINTED = re.compile(f"[^{_LABEL['printed']}]")
_MAY_BE_EMPTY = ("region", "address2", "zip")
# the printer takes no order without one
_NO_ZIP = "00000"


def _line(longest: int, shortest: int = 1) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=shortest, max_length=longest)


class Address(BaseModel):
    """The form's state. Region, second line and, in some countries, postal code may be empty; nothing else.

    Orders are read with it, old ones too, so it requires no more than what every order has held.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    first_name: Annotated[str, _line(_LONGEST["first_name"])]
    last_name: Annotated[str, _line(_LONGEST["last_name"])]
    email: Annotated[str, _line(254, 3)]
    phone_country_code: Annotated[str, _line(8, 0)] = ""
    phone: Annotated[str, _line(40)]
    country: Annotated[str, StringConstraints(strip_whitespace=True, to_upper=True, pattern=r"^[A-Za-z]{2}$")]
    region: Annotated[str, _line(_LONGEST["region"], 0)] | None = None
    address1: Annotated[str, _line(_LONGEST["address1"])]
    address2: Annotated[str, _line(_LONGEST["address2"], 0)] | None = None
    city: Annotated[str, _line(_LONGEST["city"])]
    zip: Annotated[str, _line(_LONGEST["zip"], 0)] = ""

    @field_validator("email")
    @classmethod
    def _email(cls, value: str) -> str:
        if not _EMAIL.fullmatch(value):
            raise ValueError("is not an e-mail address")
        return value

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def full_phone(self) -> str:
        """In E.164; of an old order as it was written."""
        number = dialled_number(self.phone)
        return number if number.startswith("+") else f"{self.phone_country_code}{number}"

    def lines(self) -> list[str]:
        """As it would stand on a parcel."""
        town = " ".join(part for part in (self.city, self.region, self.zip) if part)
        country = country_name(self.country)
        return [line for line in (self.name, self.address1, self.address2, town, country) if line]

    def to_printify(self) -> dict[str, str]:
        """Printify's `address_to`. A territory of the US has its code as country, and as state as USPS writes it."""
        territory = us_territory(self.region or "", self.zip) if self.country == "US" else ""
        country = territory or self.country
        return {
            "first_name": self.first_name,
            "last_name": self.last_name,
            "email": ascii_email(self.email),
            "phone": self.full_phone,
            "country": country,
            "region": country if country in US_TERRITORIES else self.region or "",
            "address1": self.address1,
            "address2": self.address2 or "",
            "city": self.city,
            "zip": self.zip or _NO_ZIP,
        }


class ShippingAddress(Address):
    """The address of a new order: in a country that the printer ships to, as the post there and the printer take it."""

    @model_validator(mode="before")
    @classmethod
    def _as_the_post_writes_it(cls, values: Any) -> Any:
        """Postal code and region in their usual form; a US region that was left empty is that of the ZIP code."""
        if not isinstance(values, dict):
            return values
        country, region, zip_code = (
            str(values.get(name) or "").strip() for name in ("country", "region", "zip")
        )
        if not is_shipped_to(country.upper()):
            return values
        rules = rules_of(country.upper())
        zip_code = rules.normal_zip(zip_code)
        possible = rules.regions_of_zip(zip_code) if rules.country == "US" and not region else []
        found = possible[0] if len(possible) == 1 else rules.find_region(region)
        return {**values, "region": found.code if found else region, "zip": zip_code}

    # before `_as_the_post_writes_it`: of two, the one below comes first
    @model_validator(mode="before")
    @classmethod
    def _without_copied_marks(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {
            name: without_copied_marks(value) if isinstance(value, str) else value
            for name, value in values.items()
        }

    @field_validator(*Address.model_fields)
    @classmethod
    def _printable(cls, value: str | None) -> str | None:
        if value and has_hidden_characters(value):
            raise ValueError("This holds signs that can't be seen. Please type it again")
        return value

    @field_validator(*(name for name in Address.model_fields if name not in _MAY_BE_EMPTY))
    @classmethod
    def _filled_in(cls, value: str) -> str:
        if is_blank(value):
            raise ValueError("Please fill this in")
        return value

    @field_validator(*_LONGEST)
    @classmethod
    def _printed(cls, value: str | None) -> str | None:
        unknown = _NOT_PRINTED.search(value or "")
        if unknown:
            raise ValueError(f"The printer can't print “{unknown[0]}”: please use Latin letters")
        return value

    @field_validator("email")
    @classmethod
    def _reachable(cls, value: str) -> str:
        return parse_email(value)

    @field_validator("phone_country_code")
    @classmethod
    def _dialled_first(cls, value: str) -> str:
        return check_country_code(value)

    @field_validator("phone")
    @classmethod
    def _dialled(cls, value: str, others: ValidationInfo) -> str:
        code = others.data.get("phone_country_code")
        # a wrong code has a fault of its own
        return value if code is None else parse_phone(value, code)

    @field_validator("country")
    @classmethod
    def _shipped_to(cls, value: str) -> str:
        if not is_shipped_to(value):
            raise ValueError("We don't ship to this country")
        return value

    @field_validator("region")
    @classmethod
    def _region(cls, value: str | None, others: ValidationInfo) -> str | None:
        if "country" not in others.data:  # it has a fault of its own
            return value
        rules = rules_of(others.data["country"])
        if not value:
            if rules.region_needed and rules.country != "US":
                raise ValueError(f"Please fill in your {rules.region_word}")
            return value
        territory = us_territory(value, "") if rules.country == "US" else ""
        if territory:
            raise ValueError(f"Please choose {country_name(territory)} as your country")
        if rules.regions and not rules.find_region(value):
            raise ValueError(f"We don't know this {rules.region_word}: please write it in full")
        return value

    @field_validator("zip")
    @classmethod
    def _zip(cls, value: str, others: ValidationInfo) -> str:
        if "country" not in others.data:
            return value
        rules = rules_of(others.data["country"])
        if not value:
            if rules.zip_needed:
                raise ValueError(f"Please fill in your {rules.zip_word}")
            return value
        if not rules.is_zip(value):
            raise ValueError(f"{rules.zip_label}s here look like {rules.zip_example}")
        if "region" not in others.data:
            return value
        region, possible = others.data["region"], rules.regions_of_zip(value)
        if rules.country == "US" and not possible:
            territory = us_territory("", value)
            raise ValueError(
                f"This ZIP code is in {country_name(territory)}: please choose it as your country"
                if territory
                else "There is no such ZIP code"
            )
        if rules.country == "US" and not region:
            raise ValueError("This ZIP code lies in several states: please fill in yours")
        found = rules.find_region(region or "")
        if found and found.zips and found not in possible:
            raise ValueError(f"This {rules.zip_word} is not in {found.name}")
        return value
