#!/usr/bin/env bash
# figures.sh: Olsen's tables and pictures again: docs/models/olsen2004/figures.sh [WADI [FOLDER]]
# WADI is build/release/wadi and FOLDER build/figures/olsen2004 where they are not given. A minute or two.
# shellcheck source=../figures.bash
. "$(dirname "${BASH_SOURCE[0]}")/../figures.bash"
forms=(thermal thermal-optimised hydraulic hydraulic-optimised fast fast-200)

# terrain KIND SEED: KIND-SEED.tif, 512 x 512 cells as his
terrain() {
    "$wadi" generate "$1" --size 512x512 --relief 100 --seed "$2" -o "$folder/$1-$2.tif" --force >/dev/null
}

score_of() { "$wadi" info "$1" | awk '$1 == "score" { print $2 }'; }

# after RUN: the score that a run left
after() { awk '$1 == "\"score\":" { score = 1 } score && $1 == "\"after\":" { print $2; exit }' "$folder/$1/run.json"; }

# seconds RUN: of computing
seconds() { awk '$1 == "\"wall_s\":" { print $2 + 0; exit }' "$folder/$1/run.json"; }

echo "Scores of starting terrains, four seeds: least, mean, most"
for kind in diamond-square spectral voronoi base; do
    for seed in 1 2 3 4; do
        terrain $kind $seed
        score_of "$folder/$kind-$seed.tif"
    done | awk -v kind=$kind '
        NR == 1 || $1 < least { least = $1 } $1 > most { most = $1 } { sum += $1 }
        END { printf "  %-24s %.3f %.3f %.3f\n", kind, least, sum / NR, most }'
done

echo "Scores after erosion: base, diamond-square, noise"
terrain noise 1
inputs=(base-1 diamond-square-1 noise-1)
{
    printf 'before'
    for input in "${inputs[@]}"; do printf ' %s' "$(score_of "$folder/$input.tif")"; done
    for form in "${forms[@]}"; do
        printf '\n%s' "$form"
        for input in "${inputs[@]}"; do
            "$wadi" run --recipe "$scenes/$form.yaml" "$folder/$input.tif" -o "$folder/other" --threads 1 \
                --maps none --quiet --force
            printf ' %s' "$(after other)"
        done
    done
    for preset in seep wash musgrave terraces; do
        printf '\n%s' $preset
        for input in "${inputs[@]}"; do
            "$wadi" run "$folder/$input.tif" -o "$folder/other" --model olsen2004 --preset $preset \
                --steps "$([[ $preset == terraces ]] && echo 100 || echo 500)" --threads 1 --maps none --quiet --force
            printf ' %s' "$(after other)"
        done
    done
    echo
} | awk '{ printf "  %-24s", $1; for (i = 2; i <= NF; i++) printf " %.3f", $i; print "" }'

echo "Times on the base terrain, one thread, the best of two"
for form in "${forms[@]}"; do
    for try in 1 2; do
        "$wadi" run --recipe "$scenes/$form.yaml" -o "$folder/$form" --threads 1 --quiet --force
        seconds "$form" >"$folder/$form-$try.seconds"
    done
    sort -g "$folder/$form"-?.seconds | awk -v form="$form" 'NR == 1 { print form, $1 }'
    rm "$folder/$form"-?.seconds
done | awk '
    { seconds[$1] = $2; printf "  %-24s %.3f s\n", $1, $2 }
    END {
        printf "  thermal by optimised: %.1f\n", seconds["thermal"] / seconds["thermal-optimised"]
        printf "  hydraulic by optimised: %.1f (Olsen: 5.5)\n", seconds["hydraulic"] / seconds["hydraulic-optimised"]
        printf "  hydraulic by fast: %.0f (Olsen: about 74)\n", seconds["hydraulic"] / seconds["fast"]
        printf "  hydraulic by fast-200: %.0f\n", seconds["hydraulic"] / seconds["fast-200"]
    }'

# picture FORM: the land that it left
picture() { "$wadi" render "$folder/$1" -o "$folder/$1.png" --force --title "$1" --no-water --exaggeration 0.5 >/dev/null; }

"$wadi" render "$folder/base-1.tif" -o "$folder/base.png" --force --title "base terrain" --exaggeration 0.5 >/dev/null
for kind in diamond-square spectral voronoi; do
    "$wadi" render "$folder/$kind-1.tif" -o "$folder/$kind.png" --force --title "$kind" --exaggeration 0.5 >/dev/null
done
for form in "${forms[@]}"; do picture "$form"; done
