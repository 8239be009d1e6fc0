"""Renders a staged view with Cycles: the plate without the shirt, the shirt in the light, and where its cloth is.

`python render.py VIEW STAGED.npz OUT [--size 1280] [--samples 64]` writes OUT/VIEW-plate.exr and OUT/VIEW-cloth.exr.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import mesh
import numpy as np
import stages
import trim
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from pattern import Cut
from scipy.spatial import cKDTree

GREY = 0.72
"""What the rendered cloth reflects; the light map is the picture divided by it."""


@dataclass(frozen=True)
class Shot:
    """Camera and room: the frame's side in metres, its middle above or beside the shirt's, the wall's distance."""

    side: float
    rise: float
    wall: float
    key: tuple[float, float, float]
    key_power: float
    fill_power: float
    sky: float


SHOTS = {
    "front": Shot(0.90, 0.0, 0.28, (-2.3, -1.5, 1.1), 150, 22, 0.34),
    "back": Shot(0.90, 0.0, 0.28, (-2.3, -1.5, 1.1), 150, 22, 0.34),
    "hanger": Shot(0.99, 0.045, 0.07, (-2.3, -1.6, 1.2), 150, 22, 0.34),
    "flat": Shot(0.95, 0.0, 0.0, (-2.2, 1.3, 1.5), 150, 16, 0.30),
    "male": Shot(0.92, 0.0, 0.9, (-2.3, -1.5, 1.0), 150, 24, 0.34),
    "female": Shot(0.80, 0.0, 0.9, (-2.3, -1.5, 1.0), 150, 26, 0.34),
}
SKIN = {
    "male": ((0.42, 0.235, 0.15), (0.33, 0.165, 0.10)),
    "female": ((0.62, 0.40, 0.29), (0.54, 0.31, 0.215)),
}
TROUSERS = {"male": (0.022, 0.028, 0.045), "female": (0.07, 0.10, 0.17)}


class Nodes:
    """A material's nodes, added and linked in one call."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.shader = self.tree.nodes["Principled BSDF"]

    def add(self, kind: str, **inputs: Any) -> Any:
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            self.set(node, name.replace("_", " "), value)
        return node

    def set(self, node: Any, name: str, value: Any) -> None:
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, node.inputs[name])
        else:
            node.inputs[name].default_value = value


def shirt_material(cut: Cut) -> bpy.types.Material:
    nodes = Nodes("shirt")
    height, tint = trim.trims(cut)
    bump = nodes.add(
        "ShaderNodeBump", Distance=1.0, Strength=1.0, Height=_picture(nodes, "height", height).outputs[0]
    )
    grey = nodes.add("ShaderNodeMix")
    grey.data_type, grey.blend_type = "RGBA", "MULTIPLY"
    grey.inputs[0].default_value = 1.0
    nodes.tree.links.new(_picture(nodes, "tint", tint).outputs[0], grey.inputs[6])
    grey.inputs[7].default_value = (GREY, GREY, GREY, 1)
    for name, value in (
        ("Base Color", grey.outputs[2]),
        ("Roughness", 1.0),
        ("Specular IOR Level", 0.0),
        ("Normal", bump.outputs[0]),
    ):
        nodes.set(nodes.shader, name, value)
    through = nodes.add("ShaderNodeBsdfTranslucent", Color=(GREY, GREY, GREY, 1))
    both = nodes.add("ShaderNodeMixShader", Fac=0.12)
    nodes.tree.links.new(nodes.shader.outputs[0], both.inputs[1])
    nodes.tree.links.new(through.outputs[0], both.inputs[2])
    output = nodes.tree.nodes["Material Output"]
    nodes.tree.links.new(both.outputs[0], output.inputs["Surface"])
    geometry = nodes.add("ShaderNodeNewGeometry")
    facing = nodes.tree.nodes.new("ShaderNodeVectorMath")
    facing.operation = "DOT_PRODUCT"
    nodes.tree.links.new(bump.outputs[0], facing.inputs[0])
    nodes.tree.links.new(geometry.outputs["Incoming"], facing.inputs[1])
    attribute = nodes.tree.nodes.new("ShaderNodeAttribute")
    attribute.attribute_name = "where"
    parts = nodes.tree.nodes.new("ShaderNodeSeparateXYZ")
    nodes.tree.links.new(attribute.outputs["Vector"], parts.inputs[0])
    cover = nodes.tree.nodes.new("ShaderNodeValue")
    cover.outputs[0].default_value = 1.0
    for name, value in (
        ("cover", cover.outputs[0]),
        ("across", parts.outputs[0]),
        ("down", parts.outputs[1]),
        ("front", parts.outputs[2]),
        ("facing", facing.outputs["Value"]),
        ("inside", geometry.outputs["Backfacing"]),
    ):
        aov = nodes.tree.nodes.new("ShaderNodeOutputAOV")
        aov.aov_name = name
        nodes.tree.links.new(value, aov.inputs["Value"])
    return nodes.material


def _picture(nodes: Nodes, name: str, field: trim.Field) -> Any:
    image = bpy.data.images.new(name, field.shape[1], field.shape[0], float_buffer=True, is_data=True)
    pixels = np.ones((*field.shape, 4), np.float32)
    pixels[..., :3] = field[..., None]
    image.pixels.foreach_set(pixels.ravel())
    node = nodes.tree.nodes.new("ShaderNodeTexImage")
    node.image, node.interpolation, node.extension = image, "Linear", "EXTEND"
    return node


def plain(name: str, colour: tuple[float, ...], rough: float = 0.9, **inputs: Any) -> bpy.types.Material:
    nodes = Nodes(name)
    for key, value in (("Base Color", (*colour, 1)), ("Roughness", rough), *inputs.items()):
        nodes.set(nodes.shader, key.replace("_", " "), value)
    return nodes.material


def mottled(
    name: str, one: tuple[float, ...], two: tuple[float, ...], scale: float, bump: float, **inputs: Any
) -> bpy.types.Material:
    """Two colours in soft patches with a fine grain: skin, denim, wood."""
    nodes = Nodes(name)
    place = nodes.add("ShaderNodeTexCoord")
    patches = nodes.add("ShaderNodeTexNoise", Vector=place.outputs["Object"], Scale=scale, Detail=5.0)
    grain = nodes.add("ShaderNodeTexNoise", Vector=place.outputs["Object"], Scale=scale * 40, Detail=4.0)
    ramp = nodes.add("ShaderNodeValToRGB", Fac=patches.outputs[0])
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[0].position = (*one, 1), 0.38
    ramp.color_ramp.elements[1].color, ramp.color_ramp.elements[1].position = (*two, 1), 0.66
    relief = nodes.add("ShaderNodeBump", Distance=bump, Strength=1.0, Height=grain.outputs[0])
    for key, value in (("Base Color", ramp.outputs[0]), ("Normal", relief.outputs[0]), *inputs.items()):
        nodes.set(nodes.shader, key.replace("_", " "), value)
    return nodes.material


def thing(name: str, points: np.ndarray, faces: np.ndarray, material: bpy.types.Material) -> bpy.types.Object:
    made = bpy.data.meshes.new(name)
    made.from_pydata(points.tolist(), [], faces.tolist())
    made.update()
    made.polygons.foreach_set("use_smooth", [True] * len(faces))
    made.materials.append(material)
    item = bpy.data.objects.new(name, made)
    bpy.context.scene.collection.objects.link(item)
    return item


def shirt(staged: dict[str, np.ndarray], cut: Cut) -> tuple[bpy.types.Object, np.ndarray]:
    points, faces, corners = staged["points"], staged["faces"], staged["corners"]
    behind = staged["behind"]
    points, faces, corners = mesh.subdivided(points, faces, corners)
    behind = np.repeat(behind, 4)
    item = thing("shirt", points, faces, shirt_material(cut))
    uv = item.data.uv_layers.new(name="pattern")
    uv.data.foreach_set("uv", trim.place(corners, behind).reshape(-1))
    where = item.data.attributes.new("where", "FLOAT_VECTOR", "CORNER")
    front = np.broadcast_to(np.repeat(staged["shown"], 4)[:, None, None].astype(float), (len(faces), 3, 1))
    seen = corners * np.array([float(staged["aside"]), 1.0])
    where.data.foreach_set("vector", np.concatenate((seen, front), 2).reshape(-1))
    return item, points


def dressed(view: str, staged: dict[str, np.ndarray], shown: np.ndarray) -> None:
    """The wearer: skin where no shirt covers it, and trousers."""
    pose, skin = staged["pose"], staged["skin"]
    hips = staged["hips"][2]
    rims = staged["rims"]
    far, _ = cKDTree(shown[::3]).query(pose)
    from_rim, _ = cKDTree(rims).query(pose)
    hidden = (far < 0.012) & (from_rim > 0.06)
    trousered = pose[:, 2] < hips + 0.06
    bare = skin[~(hidden | trousered)[skin].all(1)]
    light, dark = SKIN[view]
    material = mottled(
        "skin",
        light,
        dark,
        9,
        0.0004,
        Roughness=0.48,
        Specular_IOR_Level=0.4,
        Subsurface_Weight=0.25,
        Subsurface_Scale=0.012,
    )
    item = thing("skin", pose, bare, material)
    item.modifiers.new("round", "SUBSURF").render_levels = 2
    legs = skin[trousered[skin].all(1) & (pose[skin][:, :, 2] < rims[:, 2].min() + 0.09).all(1)]
    one = TROUSERS[view]
    cloth = mottled(
        "denim",
        one,
        tuple(channel * 1.35 for channel in one),
        30,
        0.0006,
        Roughness=0.95,
        Specular_IOR_Level=0.1,
    )
    item = thing("trousers", pose, legs, cloth)
    item.modifiers.new("round", "SUBSURF").render_levels = 2


def hanger_parts() -> None:
    points, _, quads = stages.hanger()
    wood = mottled("wood", (0.36, 0.20, 0.10), (0.28, 0.145, 0.07), 14, 0.0002, Roughness=0.4)
    thing("hanger", points, quads, wood)
    hook = bpy.data.curves.new("hook", "CURVE")
    hook.dimensions, hook.bevel_depth, hook.bevel_resolution = "3D", 0.0017, 6
    turn = np.linspace(-0.5 * np.pi, 0.95 * np.pi, 40)
    bend = np.stack((0.021 * np.cos(turn), np.zeros(40), 0.086 + 0.021 * np.sin(turn)), 1)
    line = np.concatenate(([[0, 0, 0.005], [0, 0, 0.05], [0.0, 0, 0.065]], bend))
    spline = hook.splines.new("POLY")
    spline.points.add(len(line) - 1)
    for at, place in zip(spline.points, line, strict=True):
        at.co = (*place, 1)
    item = bpy.data.objects.new("hook", hook)
    item.data.materials.append(plain("steel", (0.62, 0.62, 0.62), 0.25, Metallic=1.0))
    bpy.context.scene.collection.objects.link(item)


def room(view: str, shot: Shot, middle: np.ndarray, wall: float) -> None:
    scene = bpy.context.scene
    paper = plain("paper", (0.87, 0.83, 0.755), 1.0, Specular_IOR_Level=0.0)
    flat = view == "flat"
    bpy.ops.mesh.primitive_plane_add(
        size=12, location=(0, 0, 0) if flat else (0, wall, 0), rotation=(0 if flat else np.pi / 2, 0, 0)
    )
    bpy.context.object.data.materials.append(paper)
    fill = (2.2, -1.0, 2.0) if flat else (2.4, -1.8, 0.3)
    for place, size, power in ((shot.key, (0.9, 1.2), shot.key_power), (fill, (2.0, 2.5), shot.fill_power)):
        lamp = bpy.data.lights.new("softbox", "AREA")
        lamp.shape, lamp.size, lamp.size_y, lamp.energy = "RECTANGLE", *size, power
        item = bpy.data.objects.new("softbox", lamp)
        scene.collection.objects.link(item)
        item.location = Vector(middle) + Vector(place)
        item.rotation_euler = (-Vector(place)).to_track_quat("-Z", "Y").to_euler()
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"]
    sky.inputs[0].default_value, sky.inputs[1].default_value = (1, 1, 1, 1), shot.sky
    lens = bpy.data.cameras.new("camera")
    lens.lens = 110
    camera = bpy.data.objects.new("camera", lens)
    scene.collection.objects.link(camera)
    scene.camera = camera
    away = shot.side * lens.lens / 36
    if flat:
        camera.location = (middle[0], middle[1] + shot.rise, away)
    else:
        camera.location = (middle[0], middle[1] - away, middle[2] + shot.rise)
        camera.rotation_euler = (np.pi / 2, 0, 0)


def border(points: np.ndarray) -> None:
    """Renders only where the points are, with a little room."""
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    low, high = points.min(0), points.max(0)
    seen = [
        world_to_camera_view(scene, scene.camera, Vector((x, y, z)))
        for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])
    ]  # fmt: skip
    render = scene.render
    render.use_border = True
    render.border_min_x, render.border_max_x = (
        min(at.x for at in seen) - 0.01,
        max(at.x for at in seen) + 0.01,
    )
    render.border_min_y, render.border_max_y = (
        min(at.y for at in seen) - 0.01,
        max(at.y for at in seen) + 0.01,
    )


def shoot(path: Path, size: int, samples: int, threads: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", samples, True
    scene.cycles.adaptive_threshold, scene.cycles.adaptive_min_samples = 0.03, 10
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.seed = 4, 3, 1
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.film_transparent = False
    settings = scene.render.image_settings
    settings.media_type = "MULTI_LAYER_IMAGE"
    settings.file_format, settings.color_depth = "OPEN_EXR_MULTILAYER", "32"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("view")
    parser.add_argument("staged", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", type=int, default=1280)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--only", choices=["cloth", "plate"])
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    staged, shot = dict(np.load(options.staged)), SHOTS[options.view]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    cut = Cut(
        **{name: float(value) for name, value in zip(staged["cut_names"], staged["cut_values"], strict=True)}
    )
    item, points = shirt(staged, cut)
    low, high = points.min(0), points.max(0)
    middle = (low + high) / 2
    if "pose" in staged and options.view not in ("front", "back"):
        dressed(options.view, staged, points)
        # From just below the lips to just below the hem.
        top, bottom = float(staged["jaw"][2]) + 0.012, low[2] - 0.045
        middle[0], middle[2] = 0.0, (top + bottom) / 2
    if options.view == "hanger":
        hanger_parts()
    room(options.view, shot, middle, high[1] + shot.wall)
    layer = bpy.context.view_layer
    for name in ("cover", "across", "down", "front", "facing", "inside"):
        aov = layer.aovs.add()
        aov.name, aov.type = name, "VALUE"
    if options.only != "plate":
        border(points)
        shoot(options.out / f"{options.view}-cloth.exr", options.size, options.samples, options.threads)
        bpy.context.scene.render.use_border = False
    if options.only != "cloth":
        item.visible_camera = False
        # Skin and soft shadows need fewer pixels than cloth.
        size = options.size * 3 // 4 if options.view in ("hanger", "male", "female") else options.size // 2
        shoot(options.out / f"{options.view}-plate.exr", size, options.samples * 3 // 4, options.threads)


if __name__ == "__main__":
    main()
