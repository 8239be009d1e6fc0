"""Shipping addresses: the checkout form's fields, their limits, and the printer's reading of them."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, field_validator, model_validator

from _shared.countries import country_name

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_US_ZIP = re.compile(r"\d{5}(-\d{4})?")


def _line(longest: int, shortest: int = 1) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=shortest, max_length=longest)


class Address(BaseModel):
    """The form's state. Region and second line may be empty; everything else is required before paying."""

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

    @model_validator(mode="after")
    def _zip(self) -> Address:
        if self.country == "US" and not _US_ZIP.fullmatch(self.zip):
            raise ValueError("zip is not a US ZIP code")
        return self

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
