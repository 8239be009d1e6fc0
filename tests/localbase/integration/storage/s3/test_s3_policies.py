"""Rights over the S3 protocol: with the keys all, with a session token what the user's policies let."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from localbase.core.tokens import jwt

from tests.localbase.integration.storage.conftest import stored_files
from tests.localbase.integration.storage.s3.s3_client import error_of, keys_in, message_of, s3_client
from tests.support.stacks import Stack
from tests.support.users import Person, Users

_DENIED = (403, "AccessDenied")


@pytest.fixture(scope="module")
def service(storage: Stack) -> Any:
    return s3_client(storage)


@pytest.fixture(scope="module")
def mine(storage: Stack, owner: Person) -> Any:
    return s3_client(storage, owner.token)


@pytest.fixture(scope="module")
def other(users: Users) -> Person:
    return users.new("other")


@pytest.fixture(scope="module")
def theirs(storage: Stack, other: Person) -> Any:
    return s3_client(storage, other.token)


@pytest.fixture(scope="module")
def anonymous_client(storage: Stack) -> Any:
    return s3_client(storage, storage.anon_key)


@pytest.fixture
def place(owner: Person, service: Any) -> Iterator[dict[str, str]]:
    """An object's place in the owner's folder, where none is."""
    place = {"Bucket": "folders", "Key": f"{owner.id}/a.txt"}
    yield place
    service.delete_object(**place)


def test_owner_does_all_in_the_own_folder(mine: Any, owner: Person, place: dict[str, str]) -> None:
    mine.put_object(**place, Body=b"mine")
    assert mine.get_object(**place)["Body"].read() == b"mine"
    assert keys_in(mine.list_objects_v2(Bucket="folders")) == [f"{owner.id}/a.txt"]
    copy = {"Bucket": "folders", "Key": f"{owner.id}/copy.txt"}
    mine.copy_object(**copy, CopySource=place)
    mine.delete_objects(Bucket="folders", Delete={"Objects": [{"Key": copy["Key"]}]})
    assert keys_in(mine.list_objects(Bucket="folders")) == [f"{owner.id}/a.txt"]
    mine.delete_object(**place)
    assert error_of(mine.get_object, **place) == (404, "NoSuchKey")


def test_written_object_belongs_to_its_writer(
    mine: Any, owner: Person, place: dict[str, str], connection: psycopg.Connection
) -> None:
    mine.put_object(**place, Body=b"mine")
    query = "select owner_id from storage.objects where name = %s"
    assert connection.execute(query, [place["Key"]]).fetchone() == (owner.id,)
    upload = mine.create_multipart_upload(**place)["UploadId"]
    part = mine.upload_part(**place, UploadId=upload, PartNumber=1, Body=b"x")["ETag"]
    parts = {"Parts": [{"PartNumber": 1, "ETag": part}]}
    mine.complete_multipart_upload(**place, UploadId=upload, MultipartUpload=parts)
    assert connection.execute(query, [place["Key"]]).fetchone() == (owner.id,)


def test_stranger_sees_and_changes_nothing(mine: Any, theirs: Any, place: dict[str, str]) -> None:
    mine.put_object(**place, Body=b"mine")
    assert error_of(theirs.get_object, **place) == (404, "NoSuchKey")
    assert error_of(theirs.head_object, **place) == (404, "404")
    assert error_of(theirs.get_object_tagging, **place) == (404, "NoSuchKey")
    assert keys_in(theirs.list_objects_v2(Bucket="folders")) == []
    assert error_of(theirs.put_object, **place, Body=b"theirs") == _DENIED
    assert error_of(theirs.delete_object, **place) == _DENIED
    assert error_of(theirs.create_multipart_upload, **place) == _DENIED
    response = theirs.delete_objects(Bucket="folders", Delete={"Objects": [{"Key": place["Key"]}]})
    assert [(each["Key"], each["Code"]) for each in response["Errors"]] == [(place["Key"], "AccessDenied")]
    assert "Deleted" not in response
    assert mine.get_object(**place)["Body"].read() == b"mine"


def test_stranger_copies_neither_from_nor_to_another_s_folder(
    mine: Any, theirs: Any, other: Person, place: dict[str, str]
) -> None:
    mine.put_object(**place, Body=b"mine")
    own = {"Bucket": "folders", "Key": f"{other.id}/own.txt"}
    theirs.put_object(**own, Body=b"theirs")
    assert error_of(theirs.copy_object, **own, CopySource=place) == (404, "NoSuchKey")
    assert error_of(theirs.copy_object, **place, CopySource=own) == _DENIED
    upload = theirs.create_multipart_upload(**own)["UploadId"]
    part = {**own, "UploadId": upload, "PartNumber": 1}
    assert error_of(theirs.upload_part_copy, **part, CopySource=place) == (404, "NoSuchKey")
    theirs.abort_multipart_upload(**own, UploadId=upload)
    assert mine.get_object(**place)["Body"].read() == b"mine"


def test_upload_of_another_is_not_there_for_a_stranger(
    mine: Any, theirs: Any, service: Any, place: dict[str, str], storage: Stack
) -> None:
    upload = {**place, "UploadId": mine.create_multipart_upload(**place)["UploadId"]}
    part = mine.upload_part(**upload, PartNumber=1, Body=b"mine")["ETag"]
    parts = {"Parts": [{"PartNumber": 1, "ETag": part}]}
    before = stored_files(storage)
    missing = (404, "NoSuchUpload")
    assert error_of(theirs.upload_part, **upload, PartNumber=1, Body=b"theirs") == missing
    assert error_of(theirs.list_parts, **upload) == missing
    assert error_of(theirs.complete_multipart_upload, **upload, MultipartUpload=parts) == missing
    assert error_of(theirs.abort_multipart_upload, **upload) == missing
    assert "Uploads" not in theirs.list_multipart_uploads(Bucket="folders")
    assert stored_files(storage) == before
    assert len(service.list_parts(**upload)["Parts"]) == 1
    mine.complete_multipart_upload(**upload, MultipartUpload=parts)
    assert mine.get_object(**place)["Body"].read() == b"mine"


def test_policies_decide_at_every_part_and_at_the_end(
    mine: Any, place: dict[str, str], connection: psycopg.Connection, storage: Stack
) -> None:
    upload = {**place, "UploadId": mine.create_multipart_upload(**place)["UploadId"]}
    part = mine.upload_part(**upload, PartNumber=1, Body=b"mine")["ETag"]
    parts = {"Parts": [{"PartNumber": 1, "ETag": part}]}
    before = stored_files(storage)
    connection.execute('alter policy "folders: write" on storage.objects with check (false)')
    try:
        assert error_of(mine.upload_part, **upload, PartNumber=2, Body=b"x") == _DENIED
        assert error_of(mine.complete_multipart_upload, **upload, MultipartUpload=parts) == _DENIED
        assert error_of(mine.abort_multipart_upload, **upload) == _DENIED
    finally:
        connection.execute(
            'alter policy "folders: write" on storage.objects with check'
            " (bucket_id = 'folders' and (storage.foldername(name))[1] = (select auth.uid())::text)"
        )
    assert stored_files(storage) == before
    mine.abort_multipart_upload(**upload)


def test_policies_see_the_length_of_all_parts(
    mine: Any, place: dict[str, str], connection: psycopg.Connection, storage: Stack
) -> None:
    connection.execute(
        'create policy "short only" on storage.objects as restrictive for insert'
        " with check (coalesce((metadata ->> 'contentLength')::bigint, 0) < 100)"
    )
    try:
        upload = {**place, "UploadId": mine.create_multipart_upload(**place)["UploadId"]}
        before = stored_files(storage)
        assert error_of(mine.upload_part, **upload, PartNumber=1, Body=b"x" * 100) == _DENIED
        first = mine.upload_part(**upload, PartNumber=1, Body=b"x" * 60)["ETag"]
        assert error_of(mine.upload_part, **upload, PartNumber=2, Body=b"x" * 40) == _DENIED
        assert len(stored_files(storage) - before) == 1
        parts = {"Parts": [{"PartNumber": 1, "ETag": first}]}
        mine.complete_multipart_upload(**upload, MultipartUpload=parts)
    finally:
        connection.execute('drop policy "short only" on storage.objects')


def test_policies_see_type_and_length_before_the_bytes_come(anonymous_client: Any) -> None:
    small = {"Bucket": "inbox", "ContentType": "text/plain", "Key": "a.txt"}
    larger = {**small, "Body": b"x" * 100}
    assert error_of(anonymous_client.put_object, **larger) == _DENIED
    assert (
        error_of(anonymous_client.put_object, **{**small, "ContentType": "text/html"}, Body=b"x") == _DENIED
    )


def test_insert_only_policy_lets_new_objects_in(
    anonymous_client: Any, connection: psycopg.Connection, service: Any
) -> None:
    anonymous_client.put_object(
        Bucket="inbox", Key="s3.txt", Body=b"x", ContentType="text/plain", IfNoneMatch="*"
    )
    assert service.get_object(Bucket="inbox", Key="s3.txt")["Body"].read() == b"x"
    assert error_of(anonymous_client.get_object, Bucket="inbox", Key="s3.txt") == (404, "NoSuchKey")
    service.delete_object(Bucket="inbox", Key="s3.txt")


def test_operation_is_seen_by_policies(
    mine: Any, owner: Person, connection: psycopg.Connection, service: Any
) -> None:
    # The project's own policy wants `storage.object.upload`, which this protocol's operation is not.
    picture = {"Bucket": "pictures", "Key": f"{owner.id}.png", "ContentType": "image/png"}
    assert error_of(mine.put_object, **picture, Body=b"x") == _DENIED
    connection.execute(
        "create policy \"by s3\" on storage.objects to authenticated using (bucket_id = 'pictures')"
        " with check (bucket_id = 'pictures' and storage.allow_only_operation('s3.upload'))"
    )
    try:
        assert mine.put_object(**picture, Body=b"x")
        assert error_of(mine.create_multipart_upload, **picture) == _DENIED
    finally:
        connection.execute('drop policy "by s3" on storage.objects')
        service.delete_object(Bucket="pictures", Key=picture["Key"])


def test_buckets_are_the_service_role_s(mine: Any, anonymous_client: Any, service: Any) -> None:
    for client in (mine, anonymous_client):
        assert error_of(client.create_bucket, Bucket="not-theirs") == _DENIED
        assert error_of(client.head_bucket, Bucket="sealed") == (404, "404")
        assert error_of(client.delete_bucket, Bucket="sealed") == (404, "NoSuchBucket")
    names = [each["Name"] for each in mine.list_buckets()["Buckets"]]
    assert names == ["folders"]
    assert {"folders", "sealed", "inbox"} <= {each["Name"] for each in service.list_buckets()["Buckets"]}


@pytest.mark.parametrize("attempt", ["put_object", "create_multipart_upload", "delete_bucket", "get_object"])
def test_anonymous_caller_without_policies_is_refused(anonymous_client: Any, attempt: str) -> None:
    expected = {"delete_bucket": (404, "NoSuchBucket"), "get_object": (404, "NoSuchKey")}
    parameters = {"Bucket": "sealed"} if attempt == "delete_bucket" else {"Bucket": "sealed", "Key": "a"}
    assert error_of(getattr(anonymous_client, attempt), **parameters) == expected.get(attempt, _DENIED)


def _signed_with(secret: str) -> Callable[[Stack, Person], str]:
    return lambda stack, person: jwt.sign(
        {"sub": person.id, "role": "authenticated", "exp": int(time.time()) + 60},
        secret or stack.jwt_secret,
    )


def _expired(stack: Stack, person: Person) -> str:
    claims = {"sub": person.id, "role": "authenticated", "exp": int(time.time()) - 3600}
    return jwt.sign(claims, stack.jwt_secret)


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (_signed_with("x" * 40), "signature verification failed"),
        (_expired, '"exp" claim timestamp check failed'),
        (lambda *_: "a.b.c", "Invalid Compact JWS"),
        (lambda *_: "none", "Invalid Compact JWS"),
    ],
    ids=["forged", "expired", "malformed", "no token"],
)
def test_session_token_must_verify(
    storage: Stack, owner: Person, token: Callable[[Stack, Person], str], message: str
) -> None:
    client = s3_client(storage, token(storage, owner))
    assert error_of(client.list_buckets) == _DENIED
    assert message_of(client.list_buckets) == message


def test_session_token_of_the_project_s_secret_is_accepted(storage: Stack, owner: Person) -> None:
    client = s3_client(storage, _signed_with("")(storage, owner))
    assert client.head_bucket(Bucket="folders")


def test_session_token_goes_with_the_anonymous_key(storage: Stack, owner: Person) -> None:
    wrong_secret = s3_client(storage, owner.token, secret_key=storage.service_role_key)
    assert error_of(wrong_secret.list_buckets) == (403, "SignatureDoesNotMatch")
    with_project = s3_client(storage, owner.token, access_key="storage")
    assert with_project.head_bucket(Bucket="folders")


def test_keys_do_not_serve_with_a_session_token(storage: Stack, owner: Person) -> None:
    from tests.localbase.integration.storage.s3.s3_client import ACCESS_KEY, SECRET_KEY

    client = s3_client(storage, owner.token, access_key=ACCESS_KEY, secret_key=SECRET_KEY)
    assert message_of(client.list_buckets) == "Invalid Access Key"


def test_anonymous_key_is_no_secret_of_the_service_role(storage: Stack) -> None:
    client = s3_client(storage, access_key="stub", secret_key=storage.anon_key)
    assert message_of(client.list_buckets) == "Invalid Access Key"
