"""Jobs through the gateway: a process that is killed at any step, and nothing is paid for twice."""

from __future__ import annotations

import base64
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.shop.integration.functions.conftest import Functions, Json, Shopper, png
from tests.shop.integration.functions.killed_jobs import Jobs, VendorCalls, new_job
from tests.shop.integration.functions.test_designs import PHOTO, WORDS, opened, photo
from tests.support.stacks import Stack
from tests.support.users import Person, Users

IDEA = {name: value for name, value in WORDS.items() if name != "seed"}
# a change of the row at which the process dies; how many pictures the vendor was paid for by then
WORDS_KILLS = {
    "before the vendor is called": ("new.steps ? 'picture 1' and not old.steps ? 'picture 1'", 0),
    "before the vendor's id is stored": ("new.steps #>> '{picture 1,predictions,0}' is not null", 1),
    "before the result is stored": ("new.state = 'done'", 1),
}
PHOTO_KILLS = {
    "before the photo's address is stored": ("new.steps ? 'upload 1' and not old.steps ? 'upload 1'", 0),
    "before the vendor's id is stored": ("new.steps #>> '{picture 1,predictions,0}' is not null", 1),
}


@pytest.fixture(scope="module")
def jobs(stack: Stack, functions: Functions) -> Jobs:
    return Jobs(stack, functions)


@pytest.fixture
def maker(users: Users) -> Person:
    return users.new("maker")


def test_job_answers_as_a_call_without_one(jobs: Jobs, functions: Functions, maker: Person) -> None:
    job = new_job()
    made = functions.body_of("generate-design-image", WORDS | {"job_id": job}, maker.token)
    assert made == functions.body_of("generate-design-image", WORDS, maker.token)
    row = jobs.row(job)
    assert (row["state"], row["kind"], row["attempts"]) == ("done", "text_picture", 1)
    assert row["result_path"] == f"{maker.id}/{job}/result.png"
    assert jobs.result(job, maker.token).content == base64.b64decode(made["image"])


def test_same_id_again_answers_the_same_picture_and_counts_once(
    jobs: Jobs, functions: Functions, maker: Person
) -> None:
    body = IDEA | {"job_id": new_job()}
    vendors = VendorCalls(functions)
    with ThreadPoolExecutor(4) as threads:
        responses = list(
            threads.map(lambda _: _joined(functions, "generate-design-image", body, maker), range(4))
        )
    assert responses == [responses[0]] * 4
    assert (
        functions.body_of("generate-design-image", body | {"prompt": "Another"}, maker.token) == responses[0]
    )
    assert len(vendors.predictions) == 1
    assert jobs.usage(maker) == [{"kind": "picture", "done": True}]


def _joined(functions: Functions, slug: str, body: Json, maker: Person) -> Json:
    """The response of the job, which a call that joins it may hear only when it calls again."""
    for _ in range(20):
        response = functions.call(slug, body, maker.token)
        if response.status_code != 503:
            break
        assert response.json() == {
            "error": "Your design is still being made.",
            "code": "job_running",
            "retry_at": response.json()["retry_at"],
        }
    assert response.status_code == 200, response.text[:200]
    made: Json = response.json()
    return made


@pytest.mark.parametrize("moment", WORDS_KILLS)
def test_killed_picture_of_words_is_finished_by_the_sweep(
    jobs: Jobs, functions: Functions, maker: Person, moment: str
) -> None:
    condition, paid = WORDS_KILLS[moment]
    job, vendors = new_job(), VendorCalls(functions)
    response = jobs.kill_at(
        "design_jobs",
        condition,
        lambda: functions.call("generate-design-image", IDEA | {"job_id": job}, maker.token),
    )
    assert response.status_code >= 500
    assert (jobs.row(job)["state"], len(vendors.predictions)) == ("running", paid)
    jobs.expire(job)
    functions.sweep()
    _is_made_once(jobs, vendors, maker, job)


@pytest.mark.parametrize("moment", PHOTO_KILLS)
def test_killed_picture_of_a_photo_is_finished_by_the_sweep(
    jobs: Jobs, functions: Functions, maker: Person, moment: str
) -> None:
    condition, paid = PHOTO_KILLS[moment]
    job, vendors = new_job(), VendorCalls(functions)
    body = PHOTO | {"image": photo(), "job_id": job}
    response = jobs.kill_at(
        "design_jobs", condition, lambda: functions.call("edit-design-image", body, maker.token)
    )
    assert response.status_code >= 500
    assert (jobs.row(job)["state"], len(vendors.predictions)) == ("running", paid)
    jobs.expire(job)
    functions.sweep()
    _is_made_once(jobs, vendors, maker, job)
    # the photo was needed only until then
    functions.sweep()
    assert jobs.object(f"{maker.id}/{job}/photo", jobs.stack.secret_key).status_code == 400


def test_killed_picture_is_finished_by_the_same_call_again(
    jobs: Jobs, functions: Functions, maker: Person
) -> None:
    body, vendors = IDEA | {"job_id": new_job()}, VendorCalls(functions)
    jobs.kill_at(
        "design_jobs",
        WORDS_KILLS["before the vendor's id is stored"][0],
        lambda: functions.call("generate-design-image", body, maker.token),
    )
    jobs.expire(str(body["job_id"]))
    opened(functions.body_of("generate-design-image", body, maker.token))
    _is_made_once(jobs, vendors, maker, str(body["job_id"]))


def _is_made_once(jobs: Jobs, vendors: VendorCalls, maker: Person, job: str) -> None:
    row = jobs.done(job)
    assert (row["state"], row["error"]) == ("done", None)
    assert jobs.result(job, maker.token).content.startswith(b"\x89PNG")
    stored = [step["predictions"] for name, step in row["steps"].items() if name.startswith("picture")]
    assert stored == [vendors.predictions]
    assert len(vendors.predictions) == 1
    assert jobs.usage(maker) == [{"kind": "picture", "done": True}]


def test_call_that_joins_a_slow_job_hears_that_it_goes_on(
    jobs: Jobs, functions: Functions, maker: Person
) -> None:
    body, vendors = IDEA | {"job_id": new_job()}, VendorCalls(functions)
    with (
        jobs.faults({"requests": {"late": 1, "late_ms": 60000}, "only": "GET /v1/predictions/"}),
        ThreadPoolExecutor(1) as threads,
    ):
        first = threads.submit(functions.call, "generate-design-image", body, maker.token)
        functions.until(
            "select 1 from public.design_jobs where id = %s and steps ? 'picture 1'", body["job_id"]
        )
        joining = functions.call("generate-design-image", body, maker.token)
        assert (joining.status_code, joining.json()["code"]) == (503, "job_running")
        assert int(joining.headers["retry-after"]) <= 2
        jobs.kill_functions()
        first.result()
    assert len(vendors.predictions) == 1


def test_response_that_is_lost_on_its_way_is_found_at_the_vendor(
    jobs: Jobs, functions: Functions, maker: Person
) -> None:
    job, vendors = new_job(), VendorCalls(functions)
    with jobs.faults({"requests": {"drop": 1}, "only": "POST /v1/models/"}):
        opened(functions.body_of("generate-design-image", IDEA | {"job_id": job}, maker.token))
    _is_made_once(jobs, vendors, maker, job)


def test_refused_prompt_fails_the_job_for_good_and_does_not_count(
    jobs: Jobs, functions: Functions, maker: Person
) -> None:
    body = IDEA | {"prompt": "a garfield cat", "job_id": new_job()}
    vendors = VendorCalls(functions)
    first = functions.call("generate-design-image", body, maker.token)
    assert (first.status_code, first.json()["code"]) == (422, "prompt_refused")
    again = functions.call("generate-design-image", body, maker.token)
    assert (again.status_code, again.json()) == (422, first.json())
    row = jobs.row(str(body["job_id"]))
    assert (row["state"], row["error"], row["error_code"]) == (
        "failed",
        first.json()["error"],
        "prompt_refused",
    )
    assert jobs.usage(maker) == []
    assert len(vendors.predictions) == 1


def test_job_that_dies_again_and_again_is_given_up(jobs: Jobs, functions: Functions, maker: Person) -> None:
    job = new_job()
    jobs.kill_at(
        "design_jobs",
        WORDS_KILLS["before the vendor is called"][0],
        lambda: functions.call("generate-design-image", IDEA | {"job_id": job}, maker.token),
    )
    functions.sql("update public.design_jobs set attempts = 5 where id = %s", job)
    jobs.expire(job)
    functions.sweep()
    row = jobs.done(job)
    assert (row["state"], row["error_code"]) == ("failed", "artist_unavailable")
    assert row["error"] == "Something went wrong generating the image. Please try again."
    assert jobs.usage(maker) == []


# --- print products


PRODUCT_KILLS = {
    "before the enlargement's id is stored": (
        "design_jobs",
        "new.steps #>> '{picture 1,predictions,0}' is not null",
    ),
    "before the printer is called": ("design_jobs", "new.steps ? 'product' and not old.steps ? 'product'"),
    "before the product's id is stored": ("designs", "new.printify_product_id is not null"),
}


@pytest.mark.parametrize("moment", PRODUCT_KILLS)
def test_killed_print_product_is_finished_by_the_sweep(
    jobs: Jobs,
    functions: Functions,
    maker: Person,
    shopper: Shopper,
    save_design: Callable[..., str],
    moment: str,
) -> None:
    job, vendors = new_job(), VendorCalls(functions)
    body = _product_of(save_design(maker), shopper, job)
    response = jobs.kill_at(
        *PRODUCT_KILLS[moment], lambda: functions.call("create-printify-product", body, maker.token)
    )
    assert response.status_code >= 500
    jobs.expire(job)
    functions.sweep()
    row = jobs.done(job)
    assert (row["state"], row["error"]) == ("done", None)
    (design,) = functions.sql(
        "select printify_product_id from public.designs where id = %s", body["designId"]
    )
    assert row["result"]["product_id"] == design["printify_product_id"]
    assert (vendors.products, len(vendors.predictions)) == (1, 1)
    assert jobs.usage(maker) == [{"kind": "print_product", "done": True}]


def test_print_product_answers_as_without_a_job_and_has_one_job_at_a_time(
    jobs: Jobs, functions: Functions, maker: Person, shopper: Shopper, save_design: Callable[..., str]
) -> None:
    design, vendors = save_design(maker), VendorCalls(functions)
    # Until all have come.
    slow = {"requests": {"late": 1, "late_ms": 2000}, "only": "GET /v1/predictions/"}
    with jobs.faults(slow), ThreadPoolExecutor(3) as threads:
        responses = list(
            threads.map(
                lambda _: _joined(
                    functions, "create-printify-product", _product_of(design, shopper, new_job()), maker
                ),
                range(3),
            )
        )
    assert [set(response) for response in responses] == [
        {"success", "printifyProductId", "printDpi", "warnings"}
    ] * 3
    assert responses == [responses[0]] * 3
    assert vendors.products == 1
    assert jobs.usage(maker) == [{"kind": "print_product", "done": True}]


def _product_of(design: str, shopper: Shopper, job: str) -> Json:
    color = shopper.variants["Black - S"]["id"]
    return {"designId": design, "imageBase64": "", "selectedColors": [color], "job_id": job}


@pytest.mark.parametrize("is_job", [True, False], ids=["job", "call"])
def test_design_deleted_during_its_print_product_leaves_none_and_counts(
    jobs: Jobs,
    functions: Functions,
    maker: Person,
    shopper: Shopper,
    save_design: Callable[..., str],
    is_job: bool,
) -> None:
    design, vendors = save_design(maker), VendorCalls(functions)
    body = _product_of(design, shopper, new_job())
    if not is_job:
        del body["job_id"]
    slow = {"requests": {"late": 1, "late_ms": 2000}, "only": "GET /v1/predictions/"}
    with jobs.faults(slow), ThreadPoolExecutor(1) as threads:
        making = threads.submit(functions.call, "create-printify-product", body, maker.token)
        while not vendors.predictions:
            assert not making.done(), making.result().text
        maker.client.table("designs").delete().eq("id", design).execute()
        response = making.result()
    assert (response.status_code, response.json()) == (
        404,
        {"error": "Design not found.", "code": "design_not_found"},
    )
    assert (vendors.products, len(vendors.predictions)) == (0, 1)
    assert jobs.usage(maker) == [{"kind": "print_product", "done": True}]


# --- attacks and ends


def test_foreign_job_id_says_nothing_and_changes_nothing(
    jobs: Jobs, functions: Functions, maker: Person, stranger: Person
) -> None:
    job = new_job()
    functions.body_of("generate-design-image", IDEA | {"job_id": job}, maker.token)
    before, vendors = jobs.row(job), VendorCalls(functions)
    for slug, body in (
        ("generate-design-image", IDEA),
        ("edit-design-image", PHOTO | {"image": photo()}),
    ):
        response = functions.call(slug, body | {"job_id": job}, stranger.token)
        assert (response.status_code, response.json()) == (
            409,
            {"error": "That is not possible. Please start again.", "code": "job_taken"},
        )
    assert jobs.row(job) == before
    assert vendors.predictions == []
    rows = httpx.get(
        f"{jobs.stack.api_url}/rest/v1/design_jobs?id=eq.{job}&select=id",
        headers={"apikey": jobs.stack.publishable_key, "authorization": f"Bearer {stranger.token}"},
    )
    assert rows.json() == []
    assert jobs.result(job, stranger.token).status_code == 400
    assert jobs.result(job, maker.token).status_code == 200


def test_user_can_neither_write_results_nor_read_photos(jobs: Jobs, maker: Person) -> None:
    headers = {
        "apikey": jobs.stack.publishable_key,
        "authorization": f"Bearer {maker.token}",
        "content-type": "image/png",
    }
    for name in (f"{maker.id}/{new_job()}/result.png", f"{maker.id}/{new_job()}/photo"):
        response = httpx.post(
            f"{jobs.stack.api_url}/storage/v1/object/design-jobs/{name}",
            headers=headers,
            content=base64.b64decode(png()),
        )
        assert (response.status_code, response.json()["error"]) == (400, "Unauthorized")


def test_jobs_of_a_user_have_a_limit(jobs: Jobs, functions: Functions, maker: Person) -> None:
    functions.sql(
        "insert into public.design_jobs (id, user_id, kind, request, seed, leased_until) "
        "select gen_random_uuid(), %s, 'text_picture', '{}', 1, now() + interval '1 hour' from generate_series(1, 5)",
        maker.id,
    )
    response = functions.call("generate-design-image", IDEA | {"job_id": new_job()}, maker.token)
    assert (response.status_code, response.json()["code"]) == (429, "too_many_jobs")
    assert set(response.json()) == {"error", "code", "retry_at"}
    functions.sql(
        "update public.design_jobs set state = 'failed', error = 'x', error_code = 'x', error_status = 422, "
        "finished_at = now() where user_id = %s",
        maker.id,
    )
    functions.sql(
        "insert into public.design_jobs "
        "(id, user_id, kind, request, seed, leased_until, state, error, error_code, error_status, finished_at) "
        "select gen_random_uuid(), %s, 'text_picture', '{}', 1, now(), 'failed', 'x', 'x', 422, now() "
        "from generate_series(1, 495)",
        maker.id,
    )
    assert (
        functions.call("generate-design-image", IDEA | {"job_id": new_job()}, maker.token).status_code == 429
    )
    assert jobs.usage(maker) == []


def test_job_of_a_day_ago_ends_with_its_objects(jobs: Jobs, functions: Functions, maker: Person) -> None:
    job = new_job()
    functions.body_of("generate-design-image", IDEA | {"job_id": job}, maker.token)
    functions.sql("update public.design_jobs set created_at = now() - interval '25 hours' where id = %s", job)
    functions.sweep()
    assert functions.sql("select 1 from public.design_jobs where id = %s", job) == []
    assert functions.sql("select 1 from storage.objects where position(%s in name) > 0", job) == []
