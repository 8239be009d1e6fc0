"""Image models: their interface, and the inputs of each family that the settings may name.

Sources: the models' API pages on replicate.com. gpt-image returns a transparent background; the
others fill it, and `cutout` removes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

Inputs = dict[str, object]
# signs of a prompt, where a family takes no more
_LONGEST_PROMPTS = {"recraft-ai/recraft-": 1000}


class ImageModels(Protocol):
    """`clients.replicate_api.Replicate`."""

    def upload(self, picture: bytes, media_type: str) -> str: ...
    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes: ...


@dataclass(frozen=True)
class ImageRequest:
    """A prompt for an image model. `photo` is the address of a picture to restyle, or empty."""

    prompt: str
    seed: int
    photo: str = ""
    is_lettered: bool = False


def _gpt_image(request: ImageRequest) -> Inputs:
    inputs: Inputs = {
        "prompt": request.prompt,
        "aspect_ratio": "1:1",
        "background": "transparent",
        "output_format": "png",
        # letters come out right at high quality; without any, medium looks the same and is three times as fast
        "quality": "high" if request.is_lettered else "medium",
        "number_of_images": 1,
        "seed": request.seed,
    }
    return inputs | {"input_images": [request.photo], "input_fidelity": "high"} if request.photo else inputs


def _kontext(request: ImageRequest) -> Inputs:
    inputs: Inputs = {
        "prompt": request.prompt,
        "output_format": "png",
        "safety_tolerance": 2,
        "prompt_upsampling": False,
        "seed": request.seed,
    }
    if request.photo:
        return inputs | {"input_image": request.photo, "aspect_ratio": "match_input_image"}
    return inputs | {"aspect_ratio": "1:1"}


def _flux(request: ImageRequest) -> Inputs:
    return {
        "prompt": request.prompt,
        "aspect_ratio": "1:1",
        "output_format": "png",
        "safety_tolerance": 2,
        "seed": request.seed,
    }


def _flux_2(request: ImageRequest) -> Inputs:
    inputs: Inputs = {
        "prompt": request.prompt,
        "output_format": "png",
        "resolution": "2 MP",
        "seed": request.seed,
    }
    if request.photo:
        return inputs | {"input_images": [request.photo], "aspect_ratio": "match_input_image"}
    return inputs | {"aspect_ratio": "1:1"}


def _nano_banana(request: ImageRequest) -> Inputs:
    inputs: Inputs = {"prompt": request.prompt, "output_format": "png"}
    if request.photo:
        return inputs | {"image_input": [request.photo], "aspect_ratio": "match_input_image"}
    return inputs | {"aspect_ratio": "1:1"}


def _ideogram(request: ImageRequest) -> Inputs:
    return {
        "prompt": request.prompt,
        "aspect_ratio": "1:1",
        # rewriting the prompt would change words that are to be printed
        "magic_prompt_option": "Off",
        "style_type": "Design",
        "seed": request.seed,
    }


def _recraft(request: ImageRequest) -> Inputs:
    return {"prompt": request.prompt, "size": "1024x1024"}


_EDITORS = (
    "openai/gpt-image-",
    "black-forest-labs/flux-kontext-",
    "black-forest-labs/flux-2-",
    "google/nano-banana",
)
_FAMILIES: dict[str, Callable[[ImageRequest], Inputs]] = {
    "openai/gpt-image-": _gpt_image,
    "black-forest-labs/flux-kontext-": _kontext,
    "black-forest-labs/flux-2-": _flux_2,
    "black-forest-labs/flux-": _flux,
    "google/nano-banana": _nano_banana,
    "ideogram-ai/ideogram-": _ideogram,
    "recraft-ai/recraft-": _recraft,
}


class UnknownModelError(ValueError):
    """The settings name a model with unknown inputs, or one that cannot work from a photo."""


def longest_prompt(model: str) -> int | None:
    """The most signs that `model` takes as a prompt; None without a limit that we know of."""
    return next((most for name, most in _LONGEST_PROMPTS.items() if model.startswith(name)), None)


def inputs_for(model: str, request: ImageRequest) -> Inputs:
    """The inputs of `model` ("owner/name") for `request`."""
    able = _EDITORS if request.photo else tuple(_FAMILIES)
    family = next((name for name in _FAMILIES if model.startswith(name)), "")
    if family not in able:
        raise UnknownModelError(f"{model} is none of: {', '.join(sorted(able))}…")
    return _FAMILIES[family](request)
