"""The products of jobs: a picture from words, a picture from a photo, a print product, a version of a scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from _shared.core.callers import Caller
from _shared.core.errors import unavailable
from _shared.designs.design_job_rpc import DesignJob, Steps
from _shared.designs.design_requests import PhotoRequest, TextRequest
from _shared.designs.designs import Design, Designs
from _shared.designs.image_generation import ImageGenerator, ModelNames, prepare_photo
from _shared.designs.image_models import ImageModels
from _shared.designs.images import Picture, open_picture
from _shared.designs.moderation import check_photo_request
from _shared.designs.print_products import PrintProducts

BUCKET = "design-jobs"


class Store(Protocol):
    """`clients.storage.Storage`."""

    def get(self, bucket: str, name: str) -> bytes | None: ...
    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None: ...


class Versions(Protocol):
    """`versions.scene_versions.SceneVersions`."""

    def make(self, job: DesignJob, design: Design, steps: Steps) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Made:
    """`picture` is a PNG; `result` the rest of the response."""

    picture: Picture | None = None
    result: Mapping[str, Any] | None = None


class JobWork:
    """`products` and `versions` make those whose print files are enlarged by the given models."""

    def __init__(
        self,
        model_names: ModelNames,
        designs: Designs,
        products: Callable[[ImageModels], PrintProducts],
        versions: Callable[[ImageModels], Versions],
        store: Store,
    ) -> None:
        self._model_names = model_names
        self._designs = designs
        self._products = products
        self._versions = versions
        self._store = store

    def do(self, job: DesignJob, models: ImageModels, steps: Steps, image: Picture | None) -> Made:
        """Makes it, or goes on with it. `image` is what the caller sent; a process that goes on has none."""
        generator = ImageGenerator(models, self._model_names, lambda: job.seed)
        match job.kind:
            case "text_picture":
                made = generator.from_text(TextRequest.model_validate(job.request))
            case "photo_picture":
                # the photo lies in Storage, but a model of it has to have one
                request = PhotoRequest.model_validate(job.request)
                check_photo_request(request)
                made = generator.restyle(request, *self._photo(job, image))
            case "print_product":
                return self._print_product(job, self._products(models), steps, image)
            case "scene":
                design = self._designs.owned(Caller(id=job.user_id), job.design_id)
                return Made(result=self._versions(models).make(job, design, steps))
        return Made(made)

    def _photo(self, job: DesignJob, image: Picture | None) -> tuple[bytes, str]:
        name = f"{job.folder}/photo"
        if image:
            photo, media_type = prepare_photo(image)
            self._store.put(BUCKET, name, photo, media_type)
            return photo, media_type
        stored = self._store.get(BUCKET, name)
        if stored is None:  # its process died before the photo was stored
            raise unavailable(
                "artist_unavailable",
                "Something went wrong generating the image. Please try again.",
                "no photo",
            )
        return stored, f"image/{open_picture(stored).format.lower()}"

    def _print_product(
        self, job: DesignJob, products: PrintProducts, steps: Steps, image: Picture | None
    ) -> Made:
        design = self._designs.owned(Caller(id=job.user_id), job.design_id)
        product = products.create_for(design, image, job.request["colors"], steps)
        return Made(result={"product_id": product.id, "dpi": product.dpi, "warnings": list(product.warnings)})
