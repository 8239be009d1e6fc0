"""`python -m emulators.replicate.seed` writes the designs of sql/seed, rows and pictures, the same on every machine.

Pictures are PNGs of few colours, because they travel in the repository; people's own designs are not.
"""

from __future__ import annotations

import io
import random
import re
import shutil
import sys
import tempfile
import uuid
from pathlib import Path

import numpy as np
from PIL import Image

from emulators.artist import Brief, draw_brief
from emulators.artist.photo import restyle_photo
from emulators.assets import Assets
from emulators.core.environment import ROOT
from emulators.core.progress import Counted
from emulators.replicate.seed.ideas import IDEAS, Idea

FOLDER = ROOT / "sql" / "seed"
# `[storage.buckets]` of supabase-config.toml names them.
PICTURES, GALLERY = FOLDER / "designs", FOLDER / "design-thumbnails"
PHOTOS = ROOT / "tests" / "support" / "photos"
_SIDE = 1536
_LARGEST_PICTURE = 64_000
_VARIANT = re.compile(r"'([0-9a-f-]{36})', '(.+) - (\w+)', '(#[0-9A-Fa-f]{6})'")
_PEOPLE = range(1, 9)


def design_id(idea: Idea) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://teesmith.example/designs/{idea.text}"))


def publication_id(idea: Idea) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://teesmith.example/publications/{idea.text}"))


def person_id(number: int) -> str:
    return f"5eed0000-0000-4000-8000-{number:012d}"


def read_colours(folder: Path) -> dict[str, tuple[str, str]]:
    """Colour → (id of its first variant by name, as the shop picks it; hex)."""
    rows = _VARIANT.findall((folder / "10_product_variants.sql").read_text(encoding="utf-8"))
    colours: dict[str, tuple[str, str]] = {}
    for id, colour, size, hex_ in sorted(rows, key=lambda row: (row[1], row[2])):
        del size
        colours.setdefault(colour, (id, hex_))
    return colours


def encode_picture(picture: Image.Image) -> bytes:
    """A paletted PNG within the limit: fewer colours first, then fewer pixels."""
    for side, colours in ((1024, 128), (1024, 64), (1024, 32), (896, 32), (768, 24), (640, 24), (512, 16)):
        encoded = _paletted(_scaled(picture, side), colours)
        if len(encoded) <= _LARGEST_PICTURE:
            break
    return encoded


def _paletted(picture: Image.Image, colours: int) -> bytes:
    """The ink in its own best colours; one more entry of the palette is the clear ground."""
    alpha = np.array(picture.getchannel("A"))
    ink = np.array(picture.convert("RGB"))[alpha > 0]
    # the colours are chosen by what is inked alone, and laid on the whole
    sample = Image.fromarray(ink.reshape(1, -1, 3)).quantize(colours, Image.Quantize.MEDIANCUT, kmeans=2)
    inks = sample.getpalette() or []
    indexed = np.array(picture.convert("RGB").quantize(palette=sample, dither=Image.Dither.NONE))
    clear = len(inks) // 3
    indexed[alpha == 0] = clear
    paletted = Image.fromarray(indexed)
    paletted.putpalette([*inks, 0, 0, 0])
    buffer = io.BytesIO()
    paletted.save(buffer, "PNG", optimize=True, transparency=clear)
    return buffer.getvalue()


def _scaled(picture: Image.Image, side: int) -> Image.Image:
    small = picture.copy()
    small.thumbnail((side, side), Image.Resampling.LANCZOS)
    small.putalpha(small.getchannel("A").point(lambda value: 255 if value >= 128 else 0))
    return small


def encode_thumbnail(picture: Image.Image, shirt: str) -> bytes:
    """As the shop makes it: at most 256 px, JPEG quality 0.8; on the shirt's colour."""
    ground = Image.new("RGB", picture.size, shirt)
    ground.paste(picture, mask=picture.getchannel("A"))
    ground.thumbnail((256, 256), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    ground.save(buffer, "JPEG", quality=80, optimize=True)
    return buffer.getvalue()


def drawn(idea: Idea, shirt: str, assets: Assets) -> Image.Image:
    brief = Brief(idea.text, idea.style.lower(), idea.mood, shirt, idea.lettering, idea.seed, idea.style)
    if idea.photo:
        return restyle_photo((PHOTOS / f"{idea.photo}.jpg").read_bytes(), brief, assets)
    return draw_brief(brief, _SIDE, assets)


def write_pictures(idea: Idea, shirt: str, assets: Assets) -> int:
    """Writes the files of its objects, a copy of the thumbnail for the gallery too; how many bytes."""
    picture = drawn(idea, shirt, assets)
    thumbnail = encode_thumbnail(picture, shirt)
    own = PICTURES / person_id(idea.person) / design_id(idea)
    files = {own / "picture.png": encode_picture(picture), own / "thumbnail.jpg": thumbnail}
    if idea.public:
        files[GALLERY / f"{publication_id(idea)}.jpg"] = thumbnail
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sum(map(len, files.values()))


_HEAD = "-- Written by `python -m emulators.replicate.seed`: designs by the local artist. Do not edit.\n"


def designs_file(ideas: tuple[Idea, ...], colours: dict[str, tuple[str, str]]) -> str:
    """The designs' rows, which name their objects."""
    rows = []
    for idea in ideas:
        name = idea.text.replace("'", "''")
        ids = f"'{design_id(idea)}'::uuid, '{person_id(idea.person)}'::uuid"
        rows.append(f"({ids}, '{name}', '{colours[idea.colour][0]}'::uuid, interval '{idea.days} days')")
    return (
        _HEAD
        + "insert into public.designs (id, user_id, name, image_url, thumbnail_url, selected_colors, created_at, "
        "updated_at)\n"
        "select id, person, name, person || '/' || id || '/picture.png', person || '/' || id || '/thumbnail.jpg',\n"
        "  array[colour], now() - age, now() - age\n"
        "from (values\n" + ",\n".join(rows) + "\n) as design (id, person, name, colour, age)\n"
        "on conflict do nothing;\n"
    )


_PUBLISHED = """\
-- The copies of their thumbnails are files (design-thumbnails/), so the sweep has none to make.
delete from private.object_tasks where kind = 'publish' and source like '5eed0000-0000-4000-8000-%';

"""


def gallery_file(ideas: tuple[Idea, ...]) -> str:
    """Return which are public, and who likes what: a few favourites, many with one or two."""
    rng = random.Random(20261101)
    shown = [idea for idea in ideas if idea.public]
    published = ",\n".join(
        f"('{publication_id(idea)}', '{design_id(idea)}', '{person_id(idea.person)}', "
        f"now() - interval '{round(idea.days * 0.97, 2)} days')"
        for idea in shown
    )
    likes = []
    for idea in shown:
        charm = rng.random() ** 1.6
        for person in _PEOPLE:
            if person != idea.person and rng.random() < charm:
                age = round(idea.days * rng.uniform(0.05, 0.9), 2)
                likes.append(f"('{design_id(idea)}', '{person_id(person)}', now() - interval '{age} days')")
    return (
        f"{_HEAD}insert into public.public_designs (id, design_id, user_id, created_at) values\n{published}\n"
        "on conflict do nothing;\n\n"
        f"{_PUBLISHED}insert into public.design_likes (design_id, user_id, created_at) values\n"
        + ",\n".join(likes)
        + "\non conflict do nothing;\n"
    )


def main() -> int:
    colours = read_colours(FOLDER)
    for folder in (PICTURES, GALLERY):
        shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as cache:
        assets = Assets(ROOT / "node_modules", Path(cache))
        with Counted("drawing designs", len(IDEAS)) as drawn:
            sizes = [drawn.done(write_pictures(idea, colours[idea.colour][1], assets)) for idea in IDEAS]
    (FOLDER / "30_designs.sql").write_text(designs_file(IDEAS, colours), encoding="utf-8")
    (FOLDER / "30_designs_gallery.sql").write_text(gallery_file(IDEAS), encoding="utf-8")
    sys.stdout.write(f"{len(sizes)} designs, {sum(sizes) / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
