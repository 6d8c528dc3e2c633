#!/usr/bin/env bash
# figures.sh: the figures of Mei, Decaudin, Hu 2007 again: docs/models/mei2007/figures.sh [WADI [FOLDER]]
# Runs the scenes beside it, draws each as FOLDER/<figure>.png and prints the numbers that docs/models/mei2007.md
# quotes.
# WADI is build/release/wadi and FOLDER build/figures/mei2007 where they are not given.
# shellcheck source=../figures.bash
. "$(dirname "${BASH_SOURCE[0]}")/../figures.bash"

# draw RUN PICTURE TITLE [OPTION...]: in the paper's colours
draw() {
    "$wadi" render "$folder/$1" -o "$folder/$2.png" --force --title "$3" --scale 3 --colours mei "${@:4}" >/dev/null
}

# letters: the picture that fig1 makes its mountain of, two bytes a pixel
letters() {
    local pixels
    pixels=$(sed 's/\./\\0\\0/g; s/#/\\xff\\xff/g' <<'PG'
....................
....................
....................
....................
.#######...######...
.########.########..
.###..###.###..###..
.###..###.###..###..
.########.###.......
.#######..###.......
.###......###.####..
.###......###.####..
.###......###..###..
.###......###..###..
.###......########..
.###.......######...
....................
....................
....................
....................
PG
    )
    printf '%b' "${pixels//$'\n'/}" >"$folder/letters.r16"
}

# before FIGURE PICTURE: the terrain of a scene before its first step, that of its first stage
before() {
    sed 's/^\( *steps:\).*/\1 0/' "$scenes/$1.yaml" >"$folder/$1-before.yaml"
    "$wadi" run --recipe "$folder/$1-before.yaml" -o "$folder/$1-before" --quiet --force
    draw "$1-before/height.r32" "$2" "$2: before"
}

# residual RUN: of the mass balance, as a share of what was moved
residual() {
    awk -F '[:,]' '/"residual"/ && !seen { r = $2; seen = 1 } /"moved"/ && !m { m = $2 }
        END { printf "  solid moved %.0f m3, residual %.0e of it\n", m, (r < 0 ? -r : r) / m }' "$folder/$1/run.json"
}

# fig4_numbers RUN: the bed is where the terrain as given is lower than the slope beside it
fig4_numbers() {
    fields "$1" 256 height erosion deposition flow | awk -v name="$1" '
        { top = -1e9
          for (x = 1; x <= 256; x++) { b[x] = $x + $(x + 256) - $(x + 512); if (b[x] > top) top = b[x] }
          beside = all = 0
          for (x = 1; x <= 256; x++) {
              out = b[x] > top - 1e-3; all += $(x + 768)
              if (out) beside += $(x + 768)
              if ($(x + 256) > deep[out]) deep[out] = $(x + 256)
          }
          if (NR > 20 && NR < 250 && all > 0.5) { share = beside / all; if (share > most) { most = share; row = NR } } }
        END { printf "%s: at most %.0f %% of the river beside its bed (row %d); ", name, 100 * most, row
              printf "deepest cut %.2f m in the bed, %.2f m beside it\n", deep[0], deep[1] }'
}

# flat_numbers RUN: cells that slope by less than 5 % to the right and down, and standing water
flat_numbers() {
    fields "$1" 128 height deposition erosion water | awk -v name="$1" -v w=128 '
        { for (x = 1; x < w; x++) {
              a = last[x] - $x; c = $(x + 1) - $x
              if (NR > 1 && a * a < 0.0025 && c * c < 0.0025) flat++
          }
          for (x = 1; x <= w; x++) {
              last[x] = $x
              inside = x > w / 4 && x <= 3 * w / 4 && NR > w / 4 && NR <= 3 * w / 4
              change[inside] += $(x + w) - $(x + 2 * w)
              if ($(x + w) > thick) thick = $(x + w)
              if ($(x + 2 * w) > deep) deep = $(x + 2 * w)
              if ($(x + 3 * w) > 0.05) wet++
          } }
        END { printf "%s: %d flat cells of %d; inner quarter %+.0f m3, the rest %+.0f m3; ", name, flat, w * w, change[1], change[0]
              printf "cut to %.2f m, filled to %.2f m; %d wet cells\n", deep, thick, wet }'
}

# [low=METRES] dug_numbers RUN: how much of the mountain is dug, and whether deposits and water lie low
dug_numbers() {
    fields "$1" 256 height erosion deposition water | awk -v name="$1" -v low_m="${low:-30}" '
        { for (x = 1; x <= 256; x++) {
              e[++n] = $(x + 256)
              if (e[n] > deep) deep = e[n]
              h = $x + $(x + 256) - $(x + 512)
              solid += $(x + 512); water += $(x + 768)
              if (h < low_m) { low += $(x + 512); pool += $(x + 768) }
          } }
        END { for (i = 1; i <= n; i++) if (e[i] > 0.1 * deep) dug++
              printf "%s: deepest cut %.2f m; %.1f %% of the cells dug a tenth of that; ", name, deep, 100 * dug / n
              printf "below %g m: %.0f %% of the deposits, %.0f %% of the water\n", low_m, 100 * low / solid, 100 * pool / water }'
}

# moments FIGURE NUMBERS STEPS...: the pictures FIGUREb, c, ... after so many steps, and the numbers of each
moments() {
    local figure=$1 numbers=$2 letters=bcd steps letter
    shift 2
    for steps; do
        letter=${letters:0:1} letters=${letters:1}
        run "$figure" "$steps"
        draw "$figure-$steps" "$figure$letter" "$figure$letter: $steps steps"
        "$numbers" "$figure-$steps"
    done
    draw "$figure-$steps" "$figure$letter-deposition" "$figure$letter: deposition" --map deposition
    draw "$figure-$steps" "$figure$letter-erosion" "$figure$letter: erosion" --map erosion --no-water
}

letters
before fig1 fig1a
low=15 moments fig1 dug_numbers 0 1400 # steps of evaporation, after the rain

before fig4 fig4a
moments fig4 fig4_numbers 500 1500 3000
residual fig4-3000

before fig5 fig5a
flat_numbers fig5-before
moments fig5 flat_numbers 0 3000 # steps of drying, after the rain
moments fig5-eight flat_numbers 0 2500

before fig6-rain fig6a
moments fig6-rain dug_numbers 1000 4000
residual fig6-rain-4000
run fig6-even
draw fig6-even fig6-even "fig6-even"
draw fig6-even fig6-even-erosion "fig6-even: erosion" --map erosion --no-water
dug_numbers fig6-even
moments fig6-rain-eight dug_numbers 1000 4000
moments fig6-source dug_numbers 500 3000
residual fig6-source-3000
moments fig6-source-eight dug_numbers 500 3000

moments fig7 dug_numbers 1000 4000
residual fig7-4000
moments fig7-eight dug_numbers 1000 4000
residual fig7-eight-4000
