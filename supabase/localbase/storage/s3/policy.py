"""POST policies: what a form may upload that was signed beforehand (upstream's `protocols/s3/policy.ts`).

https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html. Upstream reads
`content-length-range` and does not enforce it; here the upload ends at its limit.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from localbase.core.clock import Clock
from localbase.core.json_text import read_json
from localbase.storage.aws import canonical, errors
from localbase.storage.aws.canonical import ALGORITHM, UNSIGNED_PAYLOAD
from localbase.storage.s3.signature import FindCredentials, Verified, key_for, read_credential, seconds_of

_EXEMPT = frozenset(
    {
        "policy",
        "x-amz-signature",
        "x-amz-algorithm",
        "x-amz-credential",
        "x-amz-date",
        "x-amz-security-token",
        "file",
    }
)
_MOST_CONDITIONS = 100


@dataclass(frozen=True, slots=True)
class LengthRange:
    """The smallest and the largest length that a file may have, in bytes."""

    smallest: int
    largest: int | None


def verify_form(fields: Mapping[str, str], find: FindCredentials, clock: Clock) -> Verified:
    """Verifies the signature of a form's policy; `fields` by their names in lower case."""
    try:
        credential, moment = fields["x-amz-credential"], fields["x-amz-date"]
        signature, policy = fields["x-amz-signature"], fields["policy"]
    except KeyError as error:
        raise errors.invalid_signature() from error
    if fields.get("x-amz-algorithm", ALGORITHM) != ALGORITHM:
        raise errors.invalid_signature("Unsupported authorization type")
    access_key, scope = read_credential(credential, moment)
    if seconds_of(moment) > clock() + 15 * 60:
        raise errors.request_time_too_skewed()
    credentials = find(access_key, fields.get("x-amz-security-token"))
    key = key_for(credentials, scope)
    if not canonical.same(canonical.signature(key, policy), signature):
        raise errors.signature_does_not_match()
    return Verified(credentials, key, scope, moment, signature, UNSIGNED_PAYLOAD)


def check_policy(fields: Mapping[str, str], bucket: str, clock: Clock) -> LengthRange:
    """Tell whether the form is what its policy allows. Raises 400 or 403; every field must be named by a condition."""
    document = _document(fields["policy"])
    _check_expiration(document.get("expiration"), clock())
    conditions = document.get("conditions")
    if not isinstance(conditions, list) or len(conditions) > _MOST_CONDITIONS:
        raise errors.invalid_signature("Invalid policy conditions")
    values = {**fields, "bucket": bucket}
    lengths = LengthRange(0, None)
    named: set[str] = set()
    for condition in conditions:
        if isinstance(condition, list) and condition[:1] == ["content-length-range"]:
            lengths = _length_range(condition)
            continue
        named.add(_check_condition(condition, values))
    for field in values:
        if field not in named and field not in _EXEMPT and not field.startswith("x-ignore-"):
            raise errors.access_denied(
                f'Policy condition failed: field "{field}" is not covered by the policy'
            )
    return lengths


def _document(encoded: str) -> dict[str, Any]:
    try:
        document = read_json(base64.b64decode(encoded, validate=True))
    except (binascii.Error, ValueError) as error:
        raise errors.invalid_signature("Invalid POST policy") from error
    if not isinstance(document, dict):
        raise errors.invalid_signature("Invalid POST policy")
    return document


def _check_expiration(expiration: object, now: float) -> None:
    if not isinstance(expiration, str) or not expiration:
        raise errors.invalid_signature("Missing policy expiration")
    try:
        moment = datetime.fromisoformat(expiration)
    except ValueError as error:
        raise errors.invalid_signature("Invalid policy expiration") from error
    ends = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if ends.timestamp() < now:
        raise errors.expired()


def _check_condition(condition: object, values: Mapping[str, str]) -> str:
    """The field that the condition names. Raises 403 if the field is not as it says."""
    if isinstance(condition, dict) and len(condition) == 1:
        [(name, value)] = condition.items()
        return _check_equal(name.lower(), value, values)
    if isinstance(condition, list) and len(condition) == 3:
        operator, target, value = condition
        if operator in ("eq", "starts-with") and isinstance(target, str) and target.startswith("$"):
            field = target[1:].lower()
            if operator == "eq":
                return _check_equal(field, value, values)
            if not values.get(field, "").startswith(str(value)) or field not in values:
                message = f'Policy condition failed: "{field}" does not start with "{value}"'
                raise errors.access_denied(message)
            return field
    raise errors.invalid_signature("Unsupported policy condition")


def _check_equal(field: str, expected: object, values: Mapping[str, str]) -> str:
    if values.get(field) != str(expected):
        raise errors.access_denied(f'Policy condition failed: "{field}" does not match')
    return field


def _length_range(condition: list[Any]) -> LengthRange:
    try:
        _, smallest, largest = condition
        bounds = LengthRange(int(smallest), int(largest))
    except (TypeError, ValueError, OverflowError) as error:
        raise errors.invalid_signature("Invalid policy condition") from error
    return bounds
