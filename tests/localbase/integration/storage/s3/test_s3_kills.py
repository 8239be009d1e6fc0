"""`kill -9` of the gateway at random points of uploads in parts: boto3 goes on, and a sweep leaves no orphan."""

from __future__ import annotations

import os
import threading
from random import Random
from typing import Any

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.localbase.integration.storage.s3.s3_client import s3_client
from tests.localbase.integration.storage.test_sweep import (
    kill_gateway,
    put_away,
    swept,
    unnamed_files,
    wait_until_up,
)
from tests.support.random_cases import cases
from tests.support.stacks import Stack

_HOUR = 3600
# `STORAGE_KILLS=200 pytest …` does it longer.
_KILLS = int(os.environ.get("STORAGE_KILLS", cases(4))) // 2


def upload_in_parts(s3: Any, place: dict[str, str], content: bytes) -> None:
    """Three parts. A completion that is sent again may find that the first one got through."""
    upload = {**place, "UploadId": s3.create_multipart_upload(**place)["UploadId"]}
    size = len(content) // 3 + 1
    parts = [
        {
            "PartNumber": number + 1,
            "ETag": s3.upload_part(
                **upload, PartNumber=number + 1, Body=content[number * size : (number + 1) * size]
            )["ETag"],
        }
        for number in range(3)
    ]
    try:
        s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})
    except s3.exceptions.ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchUpload":
            raise


def test_killed_gateway_loses_no_upload_in_parts(storage: Stack, api: Api, bucket: str) -> None:
    chance = Random(31)
    s3 = s3_client(storage, retries=20)
    for turn in range(_KILLS):
        place = {"Bucket": bucket, "Key": f"killed-{turn % 3}"}
        content = b"%08d" % turn * 300_000
        killer = threading.Timer(chance.uniform(0, 0.3), kill_gateway, [storage])
        killer.start()
        upload_in_parts(s3, place, content)
        killer.join()
        wait_until_up(api)
        assert s3.get_object(**place)["Body"].read() == content
    for left in stored_files(storage):
        put_away(left, 2 * _HOUR)
    assert swept(storage).lost == []
    assert unnamed_files(storage) == set()
