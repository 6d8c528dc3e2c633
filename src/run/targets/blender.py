# Builds the terrain's scene in Blender (3.2 or later), and saves or renders it where a file is named:
#   blender --python scene.py
#   blender -b --python scene.py -- terrain.blend|picture.png
import math
import os
import sys

import bpy
import numpy
from mathutils import Vector

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Blender 3.4's importer of glTF asks for a name that NumPy 1.24 no longer has

FOLDER = os.path.dirname(os.path.abspath(__file__))
SIZE = @size@  # m, across
MIDDLE = @middle@  # m, between the lowest and the highest ground


def towards(azimuth, elevation):
    """The direction of a compass bearing and a height above the horizon, in degrees: x east, y north, z up."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return Vector((math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), math.sin(e)))


def add(name, data, at, looking):
    thing = bpy.data.objects.new(name, data)
    thing.location = at
    thing.rotation_euler = looking.to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)
    return thing


def add_sun():
    light = bpy.data.lights.new("sun", "SUN")
    light.energy = 6.5
    light.color = (1.0, 0.94, 0.84)
    light.angle = math.radians(0.5)
    add("sun", light, Vector((0, 0, MIDDLE + SIZE)), -towards(@sun_azimuth@, @sun_elevation@))


def add_sky():
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (0.5, 0.62, 0.78, 1.0)
    background.inputs["Strength"].default_value = 0.7
    bpy.context.scene.world = world


def corners():
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH":
            for corner in thing.bound_box:
                yield thing.matrix_world @ Vector(corner)


def add_camera():
    """Looks north-north-west from 30 degrees above the horizon, as wadi render --3d, from where all is seen."""
    scene = bpy.context.scene
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit = "VERTICAL"
    camera.angle = math.radians(38)
    camera.clip_start, camera.clip_end = SIZE / 1000, SIZE * 10
    looking = -towards(160, 30)
    thing = scene.camera = add("camera", camera, Vector((0, 0, MIDDLE)) - looking * SIZE, looking)
    bpy.context.view_layer.update()
    seen = [axis for corner in corners() for axis in corner]
    where, _ = thing.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), seen)
    thing.location = where - looking * SIZE * 0.06


def paint_water():
    """Water is smooth. Shallow water lets the ground through: by the first vertex colour's opacity."""
    for material in bpy.data.materials:
        if not material.name.startswith("water") or not material.use_nodes:
            continue
        nodes, links = material.node_tree.nodes, material.node_tree.links
        shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
        shader.inputs["Roughness"].default_value = 0.08
        colours = next((mesh.color_attributes for mesh in bpy.data.meshes if mesh.color_attributes), None)
        if colours and not shader.inputs["Alpha"].is_linked:
            colour = nodes.new("ShaderNodeVertexColor")
            colour.layer_name = colours[0].name
            links.new(colour.outputs["Alpha"], shader.inputs["Alpha"])


def main():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=os.path.join(FOLDER, "terrain.glb"))
    scene = bpy.context.scene
    scene.unit_settings.system = "METRIC"
    scene.render.resolution_x, scene.render.resolution_y = 1600, 900
    scene.view_settings.view_transform = "Standard"
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 64
    scene.cycles.use_denoising = False  # not every Blender is built with it
    paint_water()
    add_sun()
    add_sky()
    add_camera()
    names = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    for name in names:
        path = os.path.abspath(name)
        if name.endswith(".blend"):
            bpy.ops.wm.save_as_mainfile(filepath=path)
        else:
            scene.render.filepath = path
            bpy.ops.render.render(write_still=True)


main()
