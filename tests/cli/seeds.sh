# wadi run --seeds: a run for each seed and one picture; interrupted and resumed to the same bits.
. "$(dirname "$0")/lib.bash"
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 77 ;; esac

heights() { for run in "$1"/seed-*; do hashes "$run" | sed -n 's/^height //p'; done; }
recipe() { # recipe SEED STEPS [OF-STAGE]
    cat <<EOF
generate: {size: 40x30, seed: $1, layers: [{kind: noise, relief: 30}, {kind: noise, seed: 5, relief: 4}]}
hardness: height
seed: $1
format: npy
stages:
  - {model: jako2011, steps: $2, rain: {count: 3, radius: 3, rate: 0.01}}
EOF
}

# Each run is the one that the recipe gives with this seed, for the terrain and for the model.
recipe 1 30 >some.yaml
expect 0 'set: 4 runs, and all of them in set/seeds.png' "$WADI" run --no-preview --recipe some.yaml --seeds 8..11 -o set
[ "$(cd set && echo seed-*)" = 'seed-08 seed-09 seed-10 seed-11' ] || fail "folders: $(ls set)"
[ "$(heights set | sort -u | wc -l)" = 4 ] || fail 'some seeds have the same height'
recipe 9 30 >nine.yaml
"$WADI" run --no-preview --recipe nine.yaml -o nine --quiet
same_hashes set/seed-09 nine
"$WADI" run --no-preview --recipe set/seed-10/run.json -o again --quiet
same_hashes set/seed-10 again

# picture FILE: its width and height
picture() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'; }
if has_format png; then
    # three in a row of 360 x 270 pixels, each with 16 around and 30 below
    [ "$(picture set/seeds.png)" = "$((16 + 3 * 376)) $((16 + 2 * 316))" ] || fail "the sheet: $(picture set/seeds.png)"
fi

# With a heightmap only the model varies, and the command says so.
"$WADI" generate noise --size 32x32 --seed 3 --relief 20 -o hills.npy >/dev/null
expect 0 'the terrain of all seeds is hills.npy' "$WADI" run --no-preview hills.npy --seeds 0..1 --steps 20 --rain drops:count=2,radius=2,rate=0.01
[ "$(heights hills-jako2011-seeds | sort -u | wc -l)" = 2 ] || fail 'the drops are the same for all seeds'
expect 0 'all seeds have the same height' "$WADI" run --no-preview hills.npy --seeds 0..1 --steps 5 --hardness uniform -o same
"$WADI" demo island --size 32x32 --seeds 3..4 -o islands --quiet --format npy
"$WADI" demo island --size 32x32 --seed 4 -o four --quiet --format npy
same_hashes islands/seed-4 four

# Interrupted or killed, it goes on with what is missing, and leaves alone what is done.
long=3000 signals=(INT KILL) large=900x900
if sanitized; then long=1000 signals=(INT) large=300x300; fi
recipe 1 $long >long.yaml
"$WADI" run --no-preview --recipe long.yaml --seeds 1..3 -o whole --quiet
for signal in "${signals[@]}"; do
    rm -rf stopped
    begin --recipe long.yaml --seeds 1..3 -o stopped --checkpoint-every $((long / 6))
    until_it stopped/seed-1/run.json "$pid"
    stop $signal
    [ $code = 130 ] || [ $code = 137 ] || fail "SIG$signal: ended with $code: $(cat err)"
    [ $signal = KILL ] || grep -q 'wadi run --resume stopped goes on' err || fail "does not say how: $(cat err)"
    [ ! -e stopped/seeds.png ] || fail "SIG$signal: came too late"
    before=$(cat stopped/seed-1/run.json)
    "$WADI" run --no-preview --resume stopped --quiet --threads 1
    [ "$before" = "$(cat stopped/seed-1/run.json)" ] || fail "SIG$signal: the finished run was made again"
    [ "$(heights stopped)" = "$(heights whole)" ] || fail "SIG$signal: the resumed runs have other heights"
    ! has_format png || cmp stopped/seeds.png whole/seeds.png || fail "SIG$signal: the sheet differs"
done
"$WADI" run --no-preview --resume stopped --json >log
check_json lines log
grep -q '"event": "seeds".*"runs": 3' log || fail "the last event: $(cat log)"
"$WADI" run --no-preview --resume stopped/seed-2 --steps 5 --quiet # each is a run like any other
[ "$(value stopped/seed-2 steps)" = $((long + 5)) ] || fail "more steps of one: $(value stopped/seed-2 steps)"

# Before the first step nothing is worth keeping.
sed "s/40x30/$large/" some.yaml >large.yaml
env --default-signal=INT "$WADI" run --no-preview --recipe large.yaml --seeds 1..9 -o early >log 2>err &
pid=$!
until_it early/seed-2/checkpoint.wadi "$pid"
stop INT
[ $code = 130 ] || fail "in the beginning: ended with $code: $(cat err)"
grep -q 'nothing is left' err || fail "in the beginning: $(cat err)"
[ ! -e early ] || fail "in the beginning: left $(ls -R early)"

refused() { expect_error 2 "$@"; [ ! -e no ] || fail "'$*' left a folder"; }
run=("$WADI" run --no-preview --recipe some.yaml -o no)
refused 'the first seed is above the last; write 1..3' "${run[@]}" --seeds 3..1
refused 'more than 256 seeds' "${run[@]}" --seeds 1..257
for wrong in 1 1.. ..3 1-3 a..b -1..2; do refused 'A..B is wanted' "${run[@]}" --seeds=$wrong; done
for other in --seed=1 --resume=set --dry-run --force --video=x.gif; do refused 'does not go with --seeds' "${run[@]}" --seeds 1..2 $other; done
refused 'does not go with --recipe' "${run[@]}" --seeds 1..2 --steps 3
refused 'no such map' "${run[@]}" --seeds 1..2 --maps all,nothing
refused 'does not go with --recipe or wadi demo' "$WADI" demo alpine -o no --steps 3
printf 'video: x.gif\n' | cat - some.yaml >film.yaml
refused 'does not go with --seeds' "$WADI" run --no-preview --recipe film.yaml --seeds 1..2 -o no
expect_error 2 'wadi run --resume set goes on' "$WADI" run --no-preview --recipe some.yaml --seeds 1..2 -o set
for more in --steps=5 --time=5 --video=x.gif; do expect_error 2 'resume one of its folders' "$WADI" run --no-preview --resume set $more; done
echo nothing >set/seeds.txt
expect_error 2 'set/seeds.txt: names no seeds' "$WADI" run --no-preview --resume set
