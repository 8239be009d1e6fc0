"""The models that are served: their inputs as published, and what the artist does for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from emulators.replicate.errors import ProblemError


@dataclass(frozen=True)
class Input:
    """One input of a model. `kind` is JSON's type name, or `uri` / `uris` for pictures."""

    kind: str = "string"
    required: bool = False
    default: Any = None
    choices: tuple[Any, ...] = ()
    smallest: float | None = None
    largest: float | None = None


@dataclass(frozen=True)
class Model:
    """`task` names the function of `emulators.replicate.tasks`; `listed` models answer an array."""

    owner: str
    name: str
    description: str
    task: str
    inputs: Mapping[str, Input] = field(default_factory=dict)
    listed: bool = False

    def check(self, inputs: object) -> dict[str, Any]:
        """The inputs with defaults filled in, or the problem that the vendor gives. Unknown names pass."""
        if not isinstance(inputs, dict):
            raise ProblemError.invalid_input([_invalid("input", "required", "input is required")])
        problems = [
            problem
            for name, rule in self.inputs.items()
            for problem in _problems(name, rule, inputs.get(name))
        ]
        if problems:
            raise ProblemError.invalid_input(problems)
        return {**{name: rule.default for name, rule in self.inputs.items()}, **inputs}


def _invalid(name: str, kind: str, description: str) -> dict[str, str]:
    return {"type": kind, "field": f"input.{name}" if name != "input" else name, "description": description}


_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "string": (lambda value: isinstance(value, str), "string"),
    "uri": (
        lambda value: isinstance(value, str) and value.startswith(("data:", "http://", "https://")),
        "uri",
    ),
    "uris": (lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value), "array"),
    "integer": (lambda value: isinstance(value, int) and not isinstance(value, bool), "integer"),
    "number": (lambda value: isinstance(value, (int, float)) and not isinstance(value, bool), "number"),
    "boolean": (lambda value: isinstance(value, bool), "boolean"),
}


def _problems(name: str, rule: Input, value: Any) -> list[dict[str, str]]:
    if value is None:
        return [_invalid(name, "required", f"{name} is required")] if rule.required else []
    fits, noun = _TYPES[rule.kind]
    if not fits(value):
        if noun == "uri":
            return [_invalid(name, "format", "Does not match format 'uri'")]
        return [
            _invalid(name, "invalid_type", f"Invalid type. Expected: {noun}, given: {type(value).__name__}")
        ]
    if rule.choices and value not in rule.choices:
        listed = ", ".join(f'"{choice}"' for choice in rule.choices)
        return [_invalid(name, "enum", f"{name} must be one of the following: {listed}")]
    if rule.smallest is not None and value < rule.smallest:
        return [_invalid(name, "number_gte", f"Must be greater than or equal to {rule.smallest:g}")]
    if rule.largest is not None and value > rule.largest:
        return [_invalid(name, "number_lte", f"Must be less than or equal to {rule.largest:g}")]
    return []


_SEED = Input("integer")
_PROMPT = Input(required=True)

MODELS = {
    f"{model.owner}/{model.name}": model
    for model in (
        Model(
            "openai", "gpt-image-1.5", "OpenAI's image model, with native transparency.", "draw", listed=True,
            inputs={
                "prompt": _PROMPT,
                "aspect_ratio": Input(default="1:1", choices=("1:1", "3:2", "2:3")),
                "quality": Input(default="auto", choices=("low", "medium", "high", "auto")),
                "input_images": Input("uris"),
                "input_fidelity": Input(default="low", choices=("low", "high")),
                "background": Input(default="auto", choices=("auto", "transparent", "opaque")),
                "output_format": Input(default="webp", choices=("png", "webp", "jpeg")),
                "output_compression": Input("integer", default=90, smallest=0, largest=100),
                "number_of_images": Input("integer", default=1, smallest=1, largest=10),
                "moderation": Input(default="auto", choices=("auto", "low")),
                "seed": _SEED,
            },
        ),
        Model(
            "black-forest-labs", "flux-kontext-pro", "Edits a picture by an instruction.", "restyle",
            inputs={
                "prompt": _PROMPT,
                "input_image": Input("uri"),
                "aspect_ratio": Input(default="match_input_image"),
                "prompt_upsampling": Input("boolean", default=False),
                "seed": _SEED,
                "output_format": Input(default="png", choices=("png", "jpg")),
                "safety_tolerance": Input("integer", default=2, smallest=0, largest=6),
            },
        ),
        Model(
            "black-forest-labs", "flux-1.1-pro", "Text to image.", "draw",
            inputs={
                "prompt": _PROMPT,
                "aspect_ratio": Input(default="1:1"),
                "seed": _SEED,
                "output_format": Input(default="webp", choices=("webp", "jpg", "png")),
            },
        ),
        Model(
            "bria", "remove-background", "Cuts the subject out.", "cut_out",
            inputs={
                "image": Input("uri", required=True),
                "preserve_partial_alpha": Input("boolean", default=True),
                "content_moderation": Input("boolean", default=False),
            },
        ),
        Model(
            "nightmareai", "real-esrgan", "Enlarges a picture.", "enlarge",
            inputs={
                "image": Input("uri", required=True),
                "scale": Input("number", default=4, smallest=0, largest=10),
                "face_enhance": Input("boolean", default=False),
            },
        ),
    )
}  # fmt: skip
