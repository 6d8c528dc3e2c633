#!/usr/bin/env bash
# figures.sh: the figures of Jako, Toth 2011 again: docs/models/jako2011/figures.sh [WADI [FOLDER]]
# Runs the scenes beside it, draws each as FOLDER/<figure>.png and prints the numbers that docs/models/jako2011.md
# quotes.
# WADI is build/release/wadi and FOLDER build/figures/jako2011 where they are not given.
# shellcheck source=../figures.bash
. "$(dirname "${BASH_SOURCE[0]}")/../figures.bash"

# draw RUN PICTURE [OPTION...]
draw() { "$wadi" render "$folder/$1" -o "$folder/$2.png" --force --title "$2" --scale 3 --exaggeration 1 "${@:3}" >/dev/null; }

# before FIGURE PICTURE: the terrain of a scene before its first step
before() {
    run "$1" 0
    draw "$1-0/height.r32" "$2"
}

# numbers RUN WIDTH: cut and fill, the steepest slope to the right or lower neighbour, and the roughness of the bed. This is
# the rms of the sum of the four neighbours minus four times the cell.
numbers() {
    fields "$1" "$2" height erosion deposition water | awk -v name="$1" -v w="$2" '
        { for (x = 1; x <= w; x++) {
              b[NR, x] = $x; cut = $(x + w); fill = $(x + 2 * w); sum += cut; change += fill - cut
              if (cut > deepest) { deepest = cut; depth = $(x + 3 * w) }
              if (fill > most) most = fill
              metre += cut > 1
          } }
        END {
            for (y = 2; y < w; y++) for (x = 2; x < w; x++) {
                right = b[y, x + 1] - b[y, x]; down = b[y + 1, x] - b[y, x]
                if (right < 0) right = -right
                if (down < 0) down = -down
                if (right > steepest) steepest = right
                if (down > steepest) steepest = down
                lap = b[y, x + 1] + b[y, x - 1] + b[y + 1, x] + b[y - 1, x] - 4 * b[y, x]
                squares += lap * lap; n++
            }
            printf "%s: cut %.2f m (under %.2f m of water), on average %.3f m, over 1 m on %.1f %% of the map; ",
                name, deepest, depth, sum / (w * w), 100 * metre / (w * w)
            printf "filled %.2f m; volume %+.0f m3; steepest %.2f; roughness %.3f m\n",
                most, change, steepest, sqrt(squares / n)
        }'
}

# halves RUN: mean cut of the upper and the lower half of the relief of 60 m
halves() {
    fields "$1" 256 height erosion deposition | awk -v name="$1" '
        { for (x = 1; x <= 256; x++) { up = $x + $(x + 256) - $(x + 512) > 30; cut[up] += $(x + 256); n[up]++ } }
        END { printf "%s: cut %.3f m on average above half the relief, %.3f m below\n", name, cut[1] / n[1], cut[0] / n[0] }'
}

# lake RUN: the roughness of the water surface and of the bed, where a cell and its neighbours are under more than 0.3 m of
# water. This is the rms of the sum of the four neighbours minus four times the cell.
lake() {
    fields "$1" 128 height water | awk -v name="$1" '
        { for (x = 1; x <= 128; x++) { b[NR, x] = $x; d[NR, x] = $(x + 128) } }
        END {
            for (y = 2; y < 128; y++) for (x = 2; x < 128; x++) {
                if (d[y, x] < 0.3 || d[y, x - 1] < 0.3 || d[y, x + 1] < 0.3 || d[y - 1, x] < 0.3 || d[y + 1, x] < 0.3) continue
                bed = b[y, x + 1] + b[y, x - 1] + b[y + 1, x] + b[y - 1, x] - 4 * b[y, x]
                top = bed + d[y, x + 1] + d[y, x - 1] + d[y + 1, x] + d[y - 1, x] - 4 * d[y, x]
                beds += bed * bed; tops += top * top; n++
            }
            printf "%s: %d cells of deep water; roughness of its surface %.4f m, of the bed under it %.3f m\n",
                name, n, sqrt(tops / n), sqrt(beds / n)
        }'
}

# draw_surface RUN PICTURE: terrain and water surface as one relief, in millimetres from -20 m up
draw_surface() {
    local bytes
    bytes=$(fields "$1" 128 height water | awk '
        { for (x = 1; x <= 128; x++) {
              mm = int(($x + $(x + 128) + 20) * 1000)
              printf "\\x%02x\\x%02x", mm % 256, int(mm / 256)
          } }')
    printf '%b' "$bytes" >"$folder/$1/surface.r16"
    draw "$1/surface.r16" "$2" --height-range -20,45.535
}

before fig5 fig5a
run fig5
draw fig5 fig5b
numbers fig5 128
run fig5-talus
draw fig5-talus fig5c
numbers fig5-talus 128
before fig5-fast fig5-fasta
run fig5-fast
draw fig5-fast fig5-fastb
numbers fig5-fast 64

before fig6 fig6a
run fig6
draw fig6 fig6b
draw fig6 fig6b-erosion --map erosion --no-water
numbers fig6 128
run fig6-eight
draw fig6-eight fig6-eight
draw fig6-eight fig6-eight-erosion --map erosion --no-water
numbers fig6-eight 128

before fig7-both fig7a
numbers fig7-both-0 256
for process in hydraulic thermal both; do
    run fig7-$process
    draw fig7-$process fig7-$process
    numbers fig7-$process 256
done
run fig1-uniform
draw fig1-uniform fig1-uniform
halves fig7-both
halves fig1-uniform

for steps in 300 1000 3000; do
    for scene in fig8-off fig8-on fig8-friction-off fig8-friction-on fig8-eight-off fig8-eight-on; do
        run $scene $steps
        lake $scene-$steps
    done
done
for scene in fig8-off fig8-on fig8-friction-off fig8-friction-on fig8-eight-off fig8-eight-on; do
    draw $scene-3000 $scene
    draw_surface $scene-3000 $scene-surface
done

for scene in off falls falls-1m printed eight-off eight-falls eight-falls-1m eight-printed; do
    run fig9-$scene
    draw fig9-$scene fig9-$scene
    numbers fig9-$scene 256
done
for scene in off printed; do
    run fig9-table2-$scene
    draw fig9-table2-$scene fig9-table2-$scene
    numbers fig9-table2-$scene 128
done
