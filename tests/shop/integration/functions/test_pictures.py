"""Pictures in Storage from the upload to the sweep: saved, printed, imported, published, taken back, deleted."""

from __future__ import annotations

import httpx
import pytest

from tests.shop.integration.functions.conftest import Functions, Shopper, png
from tests.shop.integration.functions.stored_designs import PICTURE, THUMBNAIL, Pictures
from tests.support.stacks import Stack
from tests.support.users import Person, Users


@pytest.fixture(scope="module")
def pictures(stack: Stack, functions: Functions) -> Pictures:
    return Pictures(stack, functions)


@pytest.fixture(scope="module")
def artist(users: Users) -> Person:
    return users.new("artist")


def test_saved_design_names_its_objects_and_holds_no_picture(pictures: Pictures, artist: Person) -> None:
    saved = pictures.save(artist)
    columns = "user_id::text, image_data, thumbnail_data, image_url, thumbnail_url"
    assert pictures.functions.sql(f"select {columns} from public.designs where id = %s", saved.id) == [
        {
            "user_id": artist.id,
            "image_data": None,
            "thumbnail_data": None,
            "image_url": saved.picture,
            "thumbnail_url": saved.thumbnail,
        }
    ]
    assert pictures.functions.sql("select 1 from public.design_uploads where id = %s", saved.id) == []
    assert pictures.signed(saved.picture, artist.token) == PICTURE
    assert pictures.signed(saved.thumbnail, artist.token) == THUMBNAIL


def test_design_without_a_thumbnail_is_saved(pictures: Pictures, artist: Person) -> None:
    upload = pictures.begin(artist)
    name = f"{artist.id}/{upload}/picture.png"
    assert pictures.upload(artist, name, PICTURE).status_code == 200
    assert pictures.insert(artist, name) == upload
    assert pictures.functions.sql("select thumbnail_url from public.designs where id = %s", upload) == [
        {"thumbnail_url": None}
    ]


def test_share_link_shows_a_private_picture_to_a_visitor(
    pictures: Pictures, stack: Stack, artist: Person
) -> None:
    saved = pictures.save(artist)
    response = httpx.get(
        f"{stack.api_url}/rest/v1/rpc/get_shared_design",
        params={"id": saved.id, "select": "image_url,image_data"},
        headers={"apikey": stack.publishable_key},
    )
    assert response.json() == [{"image_url": saved.picture, "image_data": None}]
    assert pictures.signed(saved.picture) == PICTURE


def test_print_product_is_made_of_the_stored_picture(pictures: Pictures, shopper: Shopper) -> None:
    saved = pictures.save(shopper.person)
    color = shopper.variants["Black - S"]["id"]
    body = {"designId": saved.id, "imageBase64": png((40, 40), "#000"), "selectedColors": [color]}
    made = pictures.functions.body_of("create-printify-product", body, shopper.token)
    # not of the body's, which has 40
    (warning,) = made["warnings"]
    assert warning.startswith("This picture is small (600 × 600 pixels)")
    assert pictures.functions.sql(
        "select printify_product_id from public.designs where id = %s", saved.id
    ) == [{"printify_product_id": made["printifyProductId"]}]


def test_imported_design_has_objects_of_its_own(pictures: Pictures, artist: Person, stranger: Person) -> None:
    saved = pictures.save(artist)
    made = pictures.functions.body_of("import-design", {"originalDesignId": saved.id}, stranger.token)
    folder = f"{stranger.id}/{made['designId']}"
    (row,) = pictures.functions.sql(
        "select image_url, thumbnail_url, name from public.designs where id = %s", made["designId"]
    )
    assert row == {
        "image_url": f"{folder}/picture.png",
        "thumbnail_url": f"{folder}/thumbnail.jpg",
        "name": "A fox",
    }
    assert pictures.functions.sql("select 1 from public.design_uploads where id = %s", made["designId"]) == []
    artist.client.table("designs").delete().eq("id", saved.id).execute()
    pictures.sweep()
    assert pictures.signed(row["image_url"], stranger.token) == PICTURE
    assert pictures.signed(row["thumbnail_url"], stranger.token) == THUMBNAIL


def test_thumbnail_is_public_while_the_design_is(pictures: Pictures, stack: Stack, artist: Person) -> None:
    saved = pictures.save(artist)
    publication = pictures.publish(saved)
    shown = pictures.shown(publication)
    assert (shown.status_code, shown.headers["content-type"], shown.content) == (200, "image/jpeg", THUMBNAIL)
    by_design = httpx.get(
        f"{stack.api_url}/rest/v1/rpc/design_thumbnail",
        params={"design": saved.id, "apikey": stack.publishable_key},
        headers={"accept": "image/*,*/*;q=0.8"},
        follow_redirects=True,
    )
    assert [step.status_code for step in by_design.history] == [302]
    assert (by_design.status_code, by_design.content) == (200, THUMBNAIL)
    artist.client.table("public_designs").delete().eq("design_id", saved.id).execute()
    assert pictures.sweep()["failed_objects"] == 0
    assert pictures.shown(publication).status_code == 400
    # published again it has another address
    assert pictures.publish(saved) != publication
    assert pictures.shown(publication).status_code == 400


def test_sweep_shows_the_thumbnail_of_what_another_client_publishes(
    pictures: Pictures, artist: Person
) -> None:
    publication = pictures.publish(pictures.save(artist), copies=False)
    assert pictures.shown(publication).status_code == 400
    pictures.sweep()
    assert pictures.shown(publication).content == THUMBNAIL


def test_copy_that_ends_after_the_design_was_taken_back_is_removed(
    pictures: Pictures, artist: Person
) -> None:
    saved = pictures.save(artist)
    publication = pictures.publish(saved, copies=False)
    pictures.functions.sql(
        "update private.object_tasks set due_at = now() where name = %s", f"{publication}.jpg"
    )
    claim = "select id from public.claim_object_tasks(60, 1000) where name = %s"
    (task,) = pictures.functions.sql(claim, f"{publication}.jpg")
    artist.client.table("public_designs").delete().eq("design_id", saved.id).execute()
    pictures.functions.sql(
        "delete from private.object_tasks where kind = 'remove' and name = %s", f"{publication}.jpg"
    )
    pictures.functions.sql("select public.finish_object_tasks(array[%s])", task["id"])
    assert pictures.functions.sql(
        "select kind, bucket from private.object_tasks where name = %s", f"{publication}.jpg"
    ) == [{"kind": "remove", "bucket": "design-thumbnails"}]


def test_deleted_design_loses_its_objects(pictures: Pictures, artist: Person) -> None:
    saved = pictures.save(artist)
    publication = pictures.publish(saved)
    assert pictures.objects(saved.id) == [f"designs/{saved.picture}", f"designs/{saved.thumbnail}"]
    artist.client.table("designs").delete().eq("id", saved.id).execute()
    # at once, for the link's holders: nothing is signed any more
    assert pictures.signed(saved.picture) is None
    assert pictures.sweep()["failed_objects"] == 0
    assert pictures.objects(saved.id) + pictures.objects(publication) == []
    assert pictures.shown(publication).status_code == 400


def test_deleted_account_loses_its_objects(pictures: Pictures, users: Users) -> None:
    leaver = users.new("leaver")
    saved = pictures.save(leaver)
    publication = pictures.publish(saved)
    abandoned = pictures.begin(leaver)
    assert pictures.upload(leaver, f"{leaver.id}/{abandoned}/picture.png", PICTURE).status_code == 200
    users.service.auth.admin.delete_user(leaver.id)
    pictures.functions.sql(
        "update public.design_uploads set created_at = now() - interval '3 days' where id = %s", abandoned
    )
    pictures.sweep()
    pictures.sweep()
    assert pictures.objects(leaver.id) + pictures.objects(publication) == []


def test_upload_that_is_never_saved_is_removed_after_two_days(pictures: Pictures, artist: Person) -> None:
    recent, abandoned = pictures.begin(artist), pictures.begin(artist)
    for upload in (recent, abandoned):
        assert pictures.upload(artist, f"{artist.id}/{upload}/picture.png", PICTURE).status_code == 200
    age = "update public.design_uploads set created_at = now() - %s::interval where id = %s"
    pictures.functions.sql(age, "49 hours", abandoned)
    pictures.functions.sql(age, "47 hours", recent)
    pictures.sweep()
    assert pictures.objects(abandoned) == []
    assert pictures.objects(recent) == [f"designs/{artist.id}/{recent}/picture.png"]
    assert pictures.functions.sql("select 1 from public.design_uploads where id = %s", abandoned) == []


def test_failed_removal_is_tried_again(pictures: Pictures) -> None:
    # a name that Storage refuses
    pictures.functions.sql(
        "insert into private.object_tasks (kind, bucket, name) values ('remove', 'no/bucket', 'x')"
    )
    pictures.sweep()
    # The stack's own sweep, which comes by itself, may have the task instead.
    row = pictures.functions.until(
        "select attempts, due_at > now() as waits from private.object_tasks"
        " where bucket = 'no/bucket' and attempts > 0 and leased_until is null"
    )
    pictures.functions.sql("delete from private.object_tasks where bucket = 'no/bucket'")
    assert row == {"attempts": 1, "waits": True}
