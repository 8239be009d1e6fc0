"""`python stage.py VIEW MPFB_DATA OUT.npz [--step 0.0065]`: drapes the shirt of a view and saves it."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

import numpy as np
import stages


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("view", choices=["front", "back", "hanger", "flat", "male", "female"])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--step", type=float, default=0.0065)
    options = parser.parse_args()
    if options.view == "flat":
        staged = stages.laid(options.step)
    elif options.view == "hanger":
        staged = stages.hung(options.step)
    else:
        staged = stages.worn(stages.WEARERS[options.view], options.data, options.step)
    if options.view == "back":
        staged = stages.turned(staged)
    cloth, cut = staged.cloth, asdict(staged.cut)
    sides, uses = np.unique(
        np.sort(np.concatenate([cloth.faces[:, [a, (a + 1) % 3]] for a in range(3)]), 1),
        axis=0,
        return_counts=True,
    )
    # What is seen: the front panel, or, of a shirt that has turned its back, the other with its sides exchanged.
    from_behind = options.view == "back"
    kept = {
        "shown": cloth.behind == from_behind, "aside": -1.0 if from_behind else 1.0,
        "points": staged.points, "faces": cloth.faces, "corners": cloth.corners, "behind": cloth.behind,
        "rims": staged.points[np.unique(sides[uses == 1])],
        "cut_names": np.array(list(cut)), "cut_values": np.array(list(cut.values())),
    }  # fmt: skip
    if staged.body is not None and staged.pose is not None:
        body = staged.body
        kept |= {
            "pose": staged.pose, "skin": body.skin, "jaw": body.joints["joint-jaw"],
            "hips": body.joints["joint-pelvis"],
        }  # fmt: skip
    np.savez(options.out, **kept)


if __name__ == "__main__":
    main()
