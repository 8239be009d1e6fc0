"""Shipping addresses: the checkout form's fields, their limits, and their form at the printer."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from _shared.core.visible_text import has_hidden_characters, is_blank
from _shared.orders.contact import check_country_code, check_phone, parse_email
from _shared.orders.countries import country_name, is_shipped_to
from _shared.orders.us_regions import region_code, region_name, regions_of_zip

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_US_ZIP = re.compile(r"[0-9]{5}(-[0-9]{4})?")
# countries in which the printer needs a region (the US's comes from the ZIP code), and what it is called there
_NEED_REGION = {"CA": "province", "AU": "state"}
_MAY_BE_EMPTY = ("region", "address2")


def _line(longest: int, shortest: int = 1) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=shortest, max_length=longest)


class Address(BaseModel):
    """The form's state. Region and second line may be empty; everything else is required before paying.

    Orders are read with it, old ones too, so it requires no more than what every order has held.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    first_name: Annotated[str, _line(100)]
    last_name: Annotated[str, _line(100)]
    email: Annotated[str, _line(254, 3)]
    phone_country_code: Annotated[str, _line(8, 0)] = ""
    phone: Annotated[str, _line(40)]
    country: Annotated[str, StringConstraints(strip_whitespace=True, to_upper=True, pattern=r"^[A-Za-z]{2}$")]
    region: Annotated[str, _line(100, 0)] | None = None
    address1: Annotated[str, _line(200)]
    address2: Annotated[str, _line(200, 0)] | None = None
    city: Annotated[str, _line(100)]
    zip: Annotated[str, _line(20)]

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
        return f"{self.phone_country_code}{self.phone}"

    def lines(self) -> list[str]:
        """As it would stand on a parcel."""
        town = " ".join(part for part in (self.city, self.region, self.zip) if part)
        country = country_name(self.country)
        return [line for line in (self.name, self.address1, self.address2, town, country) if line]

    def to_printify(self) -> dict[str, str]:
        """Printify's `address_to`."""
        return {
            "first_name": self.first_name,
            "last_name": self.last_name,
            "email": self.email,
            "phone": self.full_phone,
            "country": self.country,
            "region": self.region or "",
            "address1": self.address1,
            "address2": self.address2 or "",
            "city": self.city,
            "zip": self.zip,
        }


class ShippingAddress(Address):
    """The address of a new order: in a country that the printer ships to, in printable characters."""

    @model_validator(mode="before")
    @classmethod
    def _known_region(cls, values: Any) -> Any:
        """A US region as its code; one that was left empty is that of the ZIP code."""
        if not isinstance(values, dict):
            return values
        country, region, zip_code = (
            str(values.get(name) or "").strip() for name in ("country", "region", "zip")
        )
        if country.upper() != "US":
            return values
        possible = [region_code(region) or region] if region else regions_of_zip(zip_code)
        return {**values, "region": possible[0] if len(possible) == 1 else region}

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
        return check_phone(value, others.data.get("phone_country_code") or "")

    @field_validator("country")
    @classmethod
    def _shipped_to(cls, value: str) -> str:
        if not is_shipped_to(value):
            raise ValueError("We don't ship to this country")
        return value

    @field_validator("region")
    @classmethod
    def _region(cls, value: str | None, others: ValidationInfo) -> str | None:
        country = others.data.get("country")
        if country in _NEED_REGION and not value:
            raise ValueError(f"Please fill in your {_NEED_REGION[country]}")
        if country == "US" and value and not region_code(value):
            raise ValueError("This is not a US state that we ship to")
        return value

    @field_validator("zip")
    @classmethod
    def _zip(cls, value: str, others: ValidationInfo) -> str:
        if others.data.get("country") != "US":
            return value
        if not _US_ZIP.fullmatch(value):
            raise ValueError("A US ZIP code has five digits")
        if "region" not in others.data:  # it has a fault of its own
            return value
        region, possible = others.data["region"], regions_of_zip(value)
        if not possible:
            raise ValueError("There is no such ZIP code")
        if not region:
            raise ValueError("This ZIP code lies in several states: please fill in yours")
        if region not in possible:
            raise ValueError(f"This ZIP code is not in {region_name(region)}")
        return value
