// side.vert.glsl: the cut through the ground along the grid's border: from the surface (corner.z 1) down to the base (0).
layout(location = 0) in vec3 corner; // column, row, 1 or 0
uniform mat4 view_projection;
uniform float base;
out vec3 world;
out float depth;
out vec2 uv;

void main() {
    uv = (corner.xy + 0.5) / cells;
    float top = height_at(uv, 0.0);
    world = vec3((corner.xy - 0.5 * (cells - 1.0)) * cell, corner.z > 0.5 ? top : base);
    depth = top - world.z;
    gl_Position = view_projection * vec4(world, 1.0);
}
