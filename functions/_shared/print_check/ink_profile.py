"""The printer's profile of its ink (ICC), where the owner has named one: how a drawing's colours look in print.

Ink on dark cloth lies on a white underbase, so white stays white, and where there is no ink the cloth shows. Without a
profile colours are taken as they are on screen.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageCms

from _shared.core.errors import ShopError

_FOLDER = Path(__file__).resolve().parent.parent
_OUTPUT = "prtr"
_SPACES = ("CMYK", "RGB")


class InkProfile:
    """Raises a `ShopError` whose cause says what is wrong with the file."""

    def __init__(self, file: Path) -> None:
        if not file.is_file():
            raise _unusable(f"There is no file {file.name} in functions/_shared.")
        try:
            profile = ImageCms.ImageCmsProfile(str(file))
            space = profile.profile.xcolor_space.strip()
            if profile.profile.device_class != _OUTPUT or space not in _SPACES:
                raise _unusable(
                    f"{file.name} is a profile of class {profile.profile.device_class} for {space}: it takes an output "
                    "profile (prtr) for CMYK or RGB."
                )
            screen = ImageCms.createProfile("sRGB")
            self._proof = ImageCms.buildProofTransform(
                screen,
                screen,
                profile,
                "RGB",
                "RGB",
                ImageCms.Intent.RELATIVE_COLORIMETRIC,
                ImageCms.Intent.RELATIVE_COLORIMETRIC,
                ImageCms.Flags.SOFTPROOFING,
            )
        except (ImageCms.PyCMSError, OSError) as error:
            raise _unusable(f"{file.name} is no ICC profile that can be read: {error}") from error

    def printed(self, picture: Image.Image) -> Image.Image:
        """The colours of RGBA as they look in ink; what is clear stays clear."""
        inked = ImageCms.applyTransform(picture.convert("RGB"), self._proof) or picture
        inked.putalpha(picture.getchannel("A"))
        return inked


@lru_cache(maxsize=1)
def ink_profile(name: str) -> InkProfile | None:
    """The profile in a file beside the functions' shared code; None without a name."""
    return InkProfile(_FOLDER / name) if name else None


def _unusable(cause: str) -> ShopError:
    return ShopError(
        503,
        "ink_profile_unusable",
        "The print cannot be checked right now. Please try again later.",
        cause=cause,
    )
