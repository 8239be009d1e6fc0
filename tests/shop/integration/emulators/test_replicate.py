"""The Replicate emulator through the official client."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from replicate.client import Client
from replicate.exceptions import ModelError, ReplicateError

from tests.shop.integration.emulators.conftest import Served
from tests.support.stacks import ROOT

PHOTO = ROOT / "tests" / "support" / "photos" / "chelsea.jpg"
# soon drawn
PROMPT = (
    "T-shirt print design, isolated on a transparent background.\nIdea: a circle\nStyle: Minimalist\n"
    'Tone: bright\nShirt colour: Black (#1A1A1A)\nLettering: "Otter this world"'
)


@pytest.fixture(scope="session")
def client(emulators: Served) -> Client:
    return Client(api_token="r8_emulator", base_url=f"{emulators.url}/replicate")


def run(client: Client, model: str, inputs: dict[str, Any]) -> list[bytes]:
    """The contents of a model's outputs, as the official client reads them."""
    output: Any = client.run(model, input=inputs)
    return [item.read() for item in output] if isinstance(output, list) else [output.read()]


def test_prompt_and_seed_determine_a_transparent_picture(client: Client) -> None:
    inputs = {"prompt": PROMPT, "background": "transparent", "output_format": "png", "seed": 4}
    first = run(client, "openai/gpt-image-1.5", inputs)[0]
    again = run(client, "openai/gpt-image-1.5", inputs)[0]
    other = run(client, "openai/gpt-image-1.5", {**inputs, "seed": 5})[0]
    picture = Image.open(io.BytesIO(first))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "RGBA", (1536, 1536))
    assert picture.getpixel((2, 2))[3] == 0  # type: ignore[index]
    assert first == again
    assert first != other


def test_photograph_given_as_a_file_is_restyled(client: Client) -> None:
    prompt = (
        "Transform this photo into a t-shirt print design.\nStyle: Line art\nShirt colour: White (#FFFFFF)"
    )
    with PHOTO.open("rb") as photo:
        (output,) = run(
            client, "black-forest-labs/flux-kontext-pro", {"prompt": prompt, "input_image": photo}
        )
    assert Image.open(io.BytesIO(output)).size == (1536, 1536)


def test_background_is_removed_and_a_picture_enlarged(client: Client) -> None:
    with PHOTO.open("rb") as photo:
        cut = Image.open(io.BytesIO(run(client, "bria/remove-background", {"image": photo})[0]))
    assert cut.mode == "RGBA"
    assert cut.size == Image.open(PHOTO).size
    with PHOTO.open("rb") as photo:
        (large,) = run(client, "nightmareai/real-esrgan", {"image": photo, "scale": 2})
    assert Image.open(io.BytesIO(large)).size == (cut.width * 2, cut.height * 2)


def test_pictures_of_one_prediction_differ(client: Client) -> None:
    assert len(set(run(client, "openai/gpt-image-1.5", {"prompt": PROMPT, "number_of_images": 2}))) == 2


def test_prediction_is_polled_without_prefer_wait(client: Client) -> None:
    prediction = client.models.predictions.create(("openai", "gpt-image-1.5"), {"prompt": PROMPT}, wait=False)
    assert str(prediction.status) in ("starting", "processing")
    prediction.wait()
    finished = client.predictions.get(prediction.id)
    assert (finished.status, finished.output) == ("succeeded", prediction.output)


def test_invalid_input_is_named(emulators: Served) -> None:
    response = httpx.post(
        f"{emulators.url}/replicate/v1/models/openai/gpt-image-1.5/predictions",
        headers={"Authorization": "Bearer r8_emulator"},
        json={"input": {"output_format": "bmp"}},
    )
    assert (response.status_code, response.headers["content-type"]) == (422, "application/problem+json")
    assert response.json()["title"] == "Input validation failed"
    assert [field["field"] for field in response.json()["invalid_fields"]] == [
        "input.prompt",
        "input.output_format",
    ]


def test_wrong_token_unknown_model_and_invalid_picture_are_rejected(
    client: Client, emulators: Served, tmp_path: Path
) -> None:
    stranger = Client(api_token="r8_other", base_url=f"{emulators.url}/replicate")
    with pytest.raises(ReplicateError) as unauthenticated:
        stranger.run("openai/gpt-image-1.5", input={"prompt": "x"})
    assert unauthenticated.value.status == 401
    with pytest.raises(ReplicateError) as unknown:
        client.run("openai/none", input={"prompt": "x"})
    assert unknown.value.status == 404
    text = tmp_path / "photo.jpg"
    text.write_text("not a picture")
    with pytest.raises(ModelError, match="could not be read"), text.open("rb") as file:
        client.run(
            "black-forest-labs/flux-kontext-pro", input={"prompt": "Style: Sketch", "input_image": file}
        )


def test_indecent_prompt_is_flagged(client: Client) -> None:
    with pytest.raises(ModelError, match=r"flagged as sensitive.*\(E005\)"):
        client.run("openai/gpt-image-1.5", input={"prompt": "Idea: porn"})


def test_prediction_logs_say_that_the_picture_was_emulated(client: Client) -> None:
    prediction = client.models.predictions.create(
        model="openai/gpt-image-1.5", input={"prompt": PROMPT, "output_format": "png", "seed": 4}
    )
    prediction.wait()
    assert prediction.logs == (
        "Emulated: made by Teesmith's local renderer (drawing and image processing, no generative model).\n"
    )
    outputs: Any = prediction.output
    (output,) = outputs
    picture = Image.open(io.BytesIO(base64.b64decode(str(output).partition(",")[2])))
    assert "local renderer" in picture.info["Software"]


def test_list_has_a_hundred_on_a_page_newest_first_with_their_inputs(
    client: Client, emulators: Served
) -> None:
    for seed in range(105):
        client.models.predictions.create(
            "openai/gpt-image-1.5", input={"prompt": "a garfield cat", "seed": seed}
        )
    first = client.predictions.list()
    assert len(first.results) == 100
    assert [(each.input or {})["seed"] for each in first.results] == list(range(104, 4, -1))
    assert {each.model for each in first.results} == {"openai/gpt-image-1.5"}
    following = client.predictions.list(first.next)
    assert [(each.input or {})["seed"] for each in following.results[:5]] == [4, 3, 2, 1, 0]
    # a new prediction moves no page that was begun
    client.models.predictions.create("openai/gpt-image-1.5", input={"prompt": "a garfield cat"})
    again = client.predictions.list(first.next)
    assert [each.id for each in again.results] == [each.id for each in following.results]
    refused = httpx.get(
        f"{emulators.url}/replicate/v1/predictions?cursor=x!",
        headers={"authorization": "Bearer r8_emulator"},
    )
    assert refused.status_code == 400
