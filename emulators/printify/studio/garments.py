"""The five views as curves on a canvas of 1000 × 1000 units.

A garment is an outline, the parts drawn over it (collar, seams, stitches), what is behind it
(hanger, neck, arms), the folds of its cloth, and the place of its print area.
"""

from __future__ import annotations

from dataclasses import dataclass

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Fold:
    """A ridge in the cloth along `points`; `width` in units, `height` its strength (negative: a valley)."""

    points: Points
    width: float
    height: float


@dataclass(frozen=True)
class Area:
    """The print area: centre, width in units, and turn in degrees. Its height follows the vendor's 4500 × 5100."""

    x: float
    y: float
    width: float
    turn: float = 0


@dataclass(frozen=True)
class Garment:
    outline: str
    collar: str
    seams: tuple[str, ...]
    stitches: tuple[str, ...]
    folds: tuple[Fold, ...]
    area: Area
    inside: str = ""
    behind: str = ""
    roundness: float = 0.16
    lying: bool = False


_SKIN = {"male": ("#b9835c", "#8f5f3f", "#d3a27c"), "female": ("#d9a889", "#b27e60", "#eec6ab")}


def _mirror(points: Points) -> Points:
    return tuple((1000 - x, y) for x, y in points)


def _both(*folds: Fold) -> tuple[Fold, ...]:
    """Each fold and its mirror image, the mirror a little weaker: cloth is never symmetrical."""
    return tuple(
        item
        for fold in folds
        for item in (fold, Fold(_mirror(fold.points), fold.width * 1.12, fold.height * 0.72))
    )


_FRONT_FOLDS = (
    *_both(
        Fold(((282, 385), (330, 440), (352, 540)), 15, 1.0),
        Fold(((286, 400), (345, 500), (400, 560)), 20, 0.7),
        Fold(((300, 215), (292, 290), (286, 372)), 13, -0.8),
        Fold(((250, 240), (205, 330), (188, 440)), 12, 0.7),
        Fold(((286, 560), (306, 700), (300, 880)), 22, 0.8),
        Fold(((214, 300), (240, 380), (236, 456)), 10, -0.5),
        Fold(((410, 190), (375, 260), (368, 330)), 20, -0.35),
    ),
    Fold(((430, 640), (470, 760), (452, 900)), 26, 0.55),
    Fold(((590, 600), (560, 740), (585, 900)), 24, 0.5),
    Fold(((380, 780), (400, 840), (392, 905)), 16, -0.6),
    Fold(((650, 760), (668, 830), (660, 905)), 15, 0.6),
)

FRONT = Garment(
    outline="M404 128C372 148 304 166 262 182C206 206 150 318 104 424Q158 464 232 482C250 440 268 404 281 366"
    "C290 540 284 740 277 900Q500 930 723 900C716 740 710 540 719 366C732 404 750 440 768 482Q842 464 896 424"
    "C850 318 794 206 738 182C696 166 628 148 596 128C574 192 426 192 404 128Z",
    inside="M404 128C440 108 560 108 596 128C574 192 426 192 404 128Z",
    collar="M404 128C426 196 574 196 596 128L617 137C590 230 410 230 383 137Z",
    seams=("M300 172C282 230 276 300 281 366", "M700 172C718 230 724 300 719 366"),
    stitches=(
        "M278 880Q500 910 722 880", "M278 872Q500 902 722 872",
        "M112 406Q166 446 240 463", "M888 406Q834 446 760 463",
        "M376 141C406 240 594 240 624 141",
    ),
    folds=_FRONT_FOLDS,
    area=Area(500, 452, 326),
)  # fmt: skip

HANGER = Garment(
    outline="M412 190C376 206 300 232 262 252C222 290 196 400 178 520Q226 548 284 548C292 490 298 450 304 420"
    "C308 580 296 770 290 932Q500 950 710 932C704 770 692 580 696 420C702 450 708 490 716 548Q774 548 822 520"
    "C804 400 778 290 738 252C700 232 624 206 588 190C566 248 434 248 412 190Z",
    inside="M412 190C446 172 554 172 588 190C566 248 434 248 412 190Z",
    collar="M412 190C434 254 566 254 588 190L608 199C580 288 420 288 392 199Z",
    seams=("M300 236C288 300 294 370 304 420", "M700 236C712 300 706 370 696 420"),
    stitches=(
        "M291 912Q500 930 709 912", "M291 904Q500 922 709 904",
        "M181 502Q230 530 287 529", "M819 502Q770 530 713 529", "M386 203C416 298 584 298 614 203",
    ),
    folds=(
        *_both(
            Fold(((330, 250), (340, 480), (322, 900)), 24, 0.9),
            Fold(((392, 300), (410, 600), (398, 930)), 28, -0.7),
            Fold(((304, 425), (330, 560), (318, 760)), 14, 0.8),
            Fold(((246, 290), (228, 400), (232, 540)), 13, 0.8),
            Fold(((282, 280), (268, 400), (262, 540)), 10, -0.6),
        ),
        Fold(((470, 560), (480, 760), (462, 935)), 26, 0.75),
        Fold(((545, 620), (530, 780), (552, 935)), 22, 0.6),
        Fold(((610, 420), (622, 640), (640, 930)), 22, 0.45),
    ),
    area=Area(500, 500, 308),
    behind=(
        '<path d="M500 150C500 118 540 118 540 86C540 56 500 46 478 66" fill="none" stroke="#8d8a86" '
        'stroke-width="9" stroke-linecap="round"/>'
        '<path d="M500 146L786 262Q800 276 780 280L500 214L220 280Q200 276 214 262Z" fill="#b98a58"/>'
        '<path d="M500 146L786 262L770 264L500 164L230 264L214 262Z" fill="#d9b07c"/>'
    ),
    roundness=0.2,
)  # fmt: skip

FLAT = Garment(
    outline="M402 176C368 190 312 206 276 216C206 232 116 300 52 372Q92 440 152 482C196 444 246 416 290 404"
    "C298 560 292 730 284 884Q500 902 716 884C708 730 702 560 710 404C754 416 804 444 848 482Q908 440 948 372"
    "C884 300 794 232 724 216C688 206 632 190 598 176C574 236 426 236 402 176Z",
    inside="M402 176C440 160 560 160 598 176C574 236 426 236 402 176Z",
    collar="M402 176C426 242 574 242 598 176L618 184C588 276 412 276 382 184Z",
    seams=("M304 208C290 270 286 340 290 404", "M696 208C710 270 714 340 710 404"),
    stitches=(
        "M285 864Q500 882 715 864", "M285 856Q500 874 715 856",
        "M64 358Q104 424 166 466", "M936 358Q896 424 834 466", "M376 188C406 286 594 286 624 188",
    ),
    folds=(
        Fold(((300, 300), (420, 350), (520, 330)), 30, 0.4),
        Fold(((320, 620), (430, 590), (560, 640)), 34, 0.5),
        Fold(((700, 470), (600, 520), (520, 500)), 26, 0.45),
        Fold(((300, 800), (380, 760), (420, 690)), 22, 0.6),
        Fold(((690, 820), (620, 780), (600, 700)), 22, 0.55),
        *_both(
            Fold(((292, 410), (340, 430), (400, 420)), 13, 0.8),
            Fold(((230, 250), (180, 330), (130, 400)), 14, 0.6),
            Fold(((270, 260), (230, 350), (170, 440)), 12, -0.5),
        ),
    ),
    area=Area(500, 480, 326, -3),
    roundness=0.05,
    lying=True,
)  # fmt: skip


def _figure(kind: str, shoulder: float, waist: float) -> str:
    """Jaw, neck, arms and jeans behind the shirt; cropped below the mouth, so that it is anybody."""
    skin, shade, light = _SKIN[kind]
    slim = 0 if kind == "male" else 14
    jaw, chin = (112, 92) if kind == "male" else (98, 80)
    left, right = 500 - shoulder, 500 + shoulder
    hair = (
        '<path d="M372 -20C340 60 356 170 330 262C380 286 424 240 436 150L440 -20Z'
        'M628 -20C660 60 644 170 670 262C620 286 576 240 564 150L560 -20Z" fill="#3b2a24"/>'
        '<path d="M366 -20C346 70 362 160 344 250" stroke="#5a4238" stroke-width="6" fill="none"/>'
        '<path d="M634 -20C654 70 638 160 656 250" stroke="#2a1d18" stroke-width="6" fill="none"/>'
        if kind == "female"
        else ""
    )
    arms = "".join(
        f'<path d="M{x - 4 * s} 400C{x - 34 * s} 520 {x - 40 * s} 640 {x - 26 * s} 780C{x - 18 * s} 860 '
        f"{x - 14 * s} 930 {x - 12 * s} 1010"
        f"L{x + (58 - slim) * s} 1010C{x + (58 - slim) * s} 900 {x + (60 - slim) * s} 720 "
        f'{x + (92 - slim) * s} 440Z" fill="url(#arm)"/>'
        for x, s in ((left, 1), (right, -1))
    )
    return (
        f'<defs><linearGradient id="skin" x1="0" x2="1"><stop offset="0" stop-color="{light}"/>'
        f'<stop offset=".55" stop-color="{skin}"/><stop offset="1" stop-color="{shade}"/></linearGradient>'
        f'<linearGradient id="arm" x1="0" x2="1"><stop offset="0" stop-color="{shade}"/>'
        f'<stop offset=".35" stop-color="{light}"/><stop offset=".7" stop-color="{skin}"/>'
        f'<stop offset="1" stop-color="{shade}"/></linearGradient>'
        f'<linearGradient id="throat" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="{shade}"/>'
        f'<stop offset=".75" stop-color="{skin}"/></linearGradient>'
        '<linearGradient id="denim" x1="0" x2="1"><stop offset="0" stop-color="#26344d"/>'
        '<stop offset=".4" stop-color="#42577b"/><stop offset="1" stop-color="#1f2b42"/></linearGradient></defs>'
        f'<path d="M{500 - waist} 860L{500 - waist - 22} 1010H{500 + waist + 22}L{500 + waist} 860Z" '
        'fill="url(#denim)"/>'
        '<path d="M500 905V1010" stroke="#182235" stroke-width="5"/>'
        f"{hair}{arms}"
        f'<path d="M{420 + slim} 20C{428 + slim} 110 {420 + slim} 150 {372 + slim} 190Q500 300 {628 - slim} 190'
        f'C{580 - slim} 150 {572 - slim} 110 {580 - slim} 20Z" fill="url(#throat)"/>'
        f'<path d="M{452 + slim / 2} 160Q484 214 492 246M{548 - slim / 2} 160Q516 214 508 246" fill="none" '
        f'stroke="{shade}" '
        'stroke-width="5" opacity=".4"/>'
        f'<path d="M{500 - jaw} -20C{500 - jaw} 30 {500 - jaw * 0.82:.0f} 58 {500 - jaw * 0.42:.0f} {chin}'
        f"Q500 {chin + 24} {500 + jaw * 0.42:.0f} {chin}C{500 + jaw * 0.82:.0f} 58 {500 + jaw} 30 "
        f'{500 + jaw} -20Z" fill="url(#skin)"/>'
        f'<path d="M476 {chin - 30}Q500 {chin - 22} 524 {chin - 30}" fill="none" stroke="{shade}" '
        'stroke-width="4" opacity=".5"/>'
    )


MALE = Garment(
    outline="M398 176C356 196 296 212 254 234C206 262 178 360 158 488Q216 520 282 516C288 486 292 460 298 440"
    "C312 580 300 740 290 896Q400 922 500 916Q600 922 710 896C700 740 688 580 702 440C708 460 712 486 718 516"
    "Q784 520 842 488C822 360 794 262 746 234C704 212 644 196 602 176C580 250 420 250 398 176Z",
    collar="M398 176C420 252 580 252 602 176L622 185C594 286 406 286 378 185Z",
    seams=("M290 216C276 290 284 370 298 440", "M710 216C724 290 716 370 702 440"),
    stitches=(
        "M291 876Q400 902 500 896Q600 902 709 876", "M162 468Q218 500 285 497", "M838 468Q782 500 715 497",
        "M372 189C402 296 598 296 628 189",
    ),
    folds=(
        *_both(
            Fold(((300, 450), (352, 500), (380, 590)), 17, 1.1),
            Fold(((302, 470), (372, 560), (440, 600)), 22, 0.7),
            Fold(((320, 240), (310, 330), (300, 430)), 14, -0.9),
            Fold(((230, 300), (206, 400), (212, 500)), 13, 0.8),
            Fold(((300, 640), (330, 740), (318, 880)), 22, 0.9),
            Fold(((340, 700), (400, 780), (380, 890)), 18, -0.8),
            Fold(((398, 330), (440, 380), (500, 392)), 26, 0.45),
        ),
        Fold(((420, 700), (500, 760), (600, 720)), 24, 0.6),
        Fold(((400, 800), (500, 842), (610, 806)), 20, 0.6),
        Fold(((470, 640), (486, 780), (470, 900)), 18, 0.5),
    ),
    area=Area(500, 500, 300),
    behind=_figure("male", 318, 196),
    roundness=0.26,
)  # fmt: skip

FEMALE = Garment(
    outline="M408 190C372 208 322 224 288 244C250 270 224 356 206 470Q256 502 314 502C320 470 324 446 330 424"
    "C344 520 352 590 340 660C328 740 316 810 308 886Q404 914 500 908Q596 914 692 886C684 810 672 740 660 660"
    "C648 590 656 520 670 424C676 446 680 470 686 502Q744 502 794 470C776 356 750 270 712 244C678 224 628 208 592 190"
    "C572 262 428 262 408 190Z",
    collar="M408 190C428 264 572 264 592 190L610 198C584 294 416 294 390 198Z",
    seams=("M318 228C304 300 314 370 330 424", "M682 228C696 300 686 370 670 424"),
    stitches=(
        "M309 866Q404 894 500 888Q596 894 691 866", "M210 450Q260 482 317 483", "M790 450Q740 482 683 483",
        "M384 202C412 304 588 304 616 202",
    ),
    folds=(
        *_both(
            Fold(((332, 440), (384, 470), (430, 462)), 18, 1.0),
            Fold(((346, 560), (400, 610), (460, 640)), 22, 0.9),
            Fold(((344, 640), (410, 690), (480, 700)), 20, 0.8),
            Fold(((330, 250), (326, 340), (332, 420)), 13, -0.8),
            Fold(((262, 300), (246, 390), (258, 490)), 12, 0.8),
            Fold(((326, 760), (370, 820), (362, 885)), 20, 0.8),
            Fold(((400, 420), (440, 456), (492, 440)), 30, 0.55),
        ),
        Fold(((430, 760), (510, 800), (590, 760)), 22, 0.6),
        Fold(((476, 700), (470, 800), (484, 900)), 16, -0.5),
    ),
    area=Area(500, 486, 262),
    behind=_figure("female", 276, 188),
    roundness=0.28,
)  # fmt: skip

GARMENTS = {"front": FRONT, "hanger": HANGER, "flat": FLAT, "male": MALE, "female": FEMALE}
