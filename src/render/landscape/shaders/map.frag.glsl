// map.frag.glsl: reads the cells of a map from a buffer, in the layout of layers.c.
out float value;
uniform samplerBuffer map;
uniform ivec2 size;
uniform bool ground, depth;
uniform float lowest; // height, m

float cell_at(ivec2 at) { return texelFetch(map, at.y * size.x + at.x).r; }
bool is_there(float v) { return !isnan(v) && !isinf(v); }

// The mean of the cells around a cell without data.
float height_beside(ivec2 at) {
    float sum = 0.0, count = 0.0;
    for (int j = max(at.y - 1, 0); j <= min(at.y + 1, size.y - 1); j++)
        for (int i = max(at.x - 1, 0); i <= min(at.x + 1, size.x - 1); i++) {
            float v = cell_at(ivec2(i, j));
            if (is_there(v)) sum += v, count += 1.0;
        }
    return count > 0.0 ? sum / count : lowest;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float v = cell_at(at);
    if (!is_there(v))
        value = ground ? height_beside(at) : 0.0;
    else
        value = depth ? max(v, 0.0) : v;
}
