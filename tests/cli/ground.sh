# labels: once
# The colours of the ground: asked for by a recipe or an option, kept by the run, and drawn alike ever after.
. "$(dirname "$0")/lib.bash"
case $("$WADI" run --recipe none.yaml 2>&1 || true) in *'not built'*) exit 77 ;; esac
has_format png || exit 77

"$WADI" generate noise --size 40x30 --seed 3 --relief 20 -o hills.npy >/dev/null
printf 'input: hills.npy\nground: dry\nmodel: jako2011\nsteps: 2000\n' >dry.yaml
"$WADI" run --recipe dry.yaml -o dry --quiet
"$WADI" run hills.npy --steps 2000 -o green --quiet
"$WADI" run hills.npy --steps 2000 --ground dry -o asked --quiet
same_hashes dry green
cmp -s dry/preview.png asked/preview.png || fail 'the option and the recipe give other colours'
! cmp -s dry/preview.png green/preview.png || fail 'dry ground looks like green'
"$WADI" run --recipe dry/run.json -o again --quiet
cmp dry/preview.png again/preview.png || fail 'its run.json gives other colours'

# A checkpoint keeps them.
begin --recipe dry.yaml -o stopped
stop INT
if [ $code = 130 ]; then "$WADI" run --resume stopped --quiet; fi
cmp dry/preview.png stopped/preview.png || fail 'a resumed run has other colours'

# A run is drawn in its own colours, unless others are named.
render() { "$WADI" render "$@" --force >/dev/null; }
render dry -o a.png
render dry --ground dry -o b.png
render dry --ground green -o c.png
render green -o d.png
cmp a.png b.png || fail 'a run is not drawn in its own colours'
cmp c.png d.png || fail 'a run is drawn in its own colours though others are named'
! cmp -s a.png c.png || fail 'both grounds look alike'
if render dry --3d --picture 200x120 -o e.png 2>/dev/null; then
    render dry --3d --picture 200x120 --ground green -o f.png
    ! cmp -s e.png f.png || fail 'both grounds look alike with --3d'
fi
"$WADI" run --recipe dry.yaml --seeds 1..2 -o set --quiet
"$WADI" run --recipe dry.yaml --ground green --seeds 1..2 -o meadows --quiet
! cmp -s set/seeds.png meadows/seeds.png || fail 'the sheet of variations has other colours'

expect_error 2 'green or dry is wanted' "$WADI" run hills.npy --ground sand -o no
printf 'input: hills.npy\nground: sand\n' >no.yaml
expect_error 2 'no.yaml:2:' "$WADI" run --recipe no.yaml -o no
