"""boto3's clients of a stack: with its S3 keys, or with a user's session token."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from tests.support.stacks import Stack

ACCESS_KEY = "625729a08b95bf1b7ff351a663f3a23c"
SECRET_KEY = "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"


def s3_client(
    stack: Stack,
    token: str | None = None,
    *,
    access_key: str | None = None,
    secret_key: str | None = None,
    retries: int = 1,
    **config: Any,
) -> Any:
    """boto3's S3 client: the service role; with `token` its user, and the anonymous key signs."""
    return boto3.client(
        "s3",
        endpoint_url=f"{stack.api_url}/storage/v1/s3",
        aws_access_key_id=access_key or (ACCESS_KEY if token is None else "stub"),
        aws_secret_access_key=secret_key or (SECRET_KEY if token is None else stack.anon_key),
        aws_session_token=token,
        region_name="local",
        config=Config(
            **{
                "s3": {"addressing_style": "path"},
                "retries": {"total_max_attempts": retries},
                "signature_version": "s3v4",
                "connect_timeout": 10,
                "read_timeout": 30,
                **config,
            }
        ),
    )


def error_of(call: Any, **parameters: Any) -> tuple[int, str]:
    """Status and code of a call that is refused."""
    with pytest.raises(ClientError) as caught:
        call(**parameters)
    response = caught.value.response
    return response["ResponseMetadata"]["HTTPStatusCode"], response["Error"]["Code"]


def message_of(call: Any, **parameters: Any) -> str:
    """The message of a call that is refused."""
    with pytest.raises(ClientError) as caught:
        call(**parameters)
    return str(caught.value.response["Error"]["Message"])


def keys_in(listed: Any) -> list[str]:
    """The names of a listing's objects."""
    return [each["Key"] for each in listed.get("Contents", [])]
