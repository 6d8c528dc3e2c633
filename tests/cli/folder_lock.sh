# One process at a time writes in a run folder; what killed ones leave is cleared.
. "$(dirname "$0")/lib.bash"

"$WADI" generate noise --size 256x192 --seed 3 -o hills.npy >/dev/null

# start OPTIONS...: in the background, until its first checkpoint is in place
start() {
    begin hills.npy --steps 100000000 --threads 1 --quiet "$@"
    grep -q '"start"' log || fail "no start: $(cat err)"
}

# beside a live run every other process is refused, whatever it wants there, and the run does not notice
start -o live
for other in "hills.npy -o live" "hills.npy -o live --force" "hills.npy -o live --force --dry-run" "--resume live" \
    "--resume live --steps 5"; do
    # shellcheck disable=SC2086
    expect_error 2 "another wadi (process $pid) is at work in this folder" "$WADI" run $other
done
kill -INT $pid
finish
[ $code = 130 ] || fail "the live run ended with $code: $(cat err)"
[ "$(ls -A live)" = checkpoint.wadi ] || fail "left: $(ls -A live)"

# of two that begin at once in the same place one runs, and its result is whole
for i in 1 2 3 4; do
    "$WADI" run hills.npy --steps 20 --quiet -o both-$i 2>one & one=$!
    "$WADI" run hills.npy --steps 20 --quiet -o both-$i 2>two & two=$!
    first=0 second=0
    wait $one || first=$?
    wait $two || second=$?
    case $first$second in
    02 | 20) ;;
    *) fail "two at once: $first, $second: $(cat one two)" ;;
    esac
    grep -qhE 'another wadi|the folder exists' one two || fail "two at once: $(cat one two)"
    [ -z "$(find both-$i -name '.*' ! -name both-$i)" ] && same_hashes both-1 both-$i
done

# a killed run leaves its lock's file, and no lock
start -o killed
kill -9 $pid
finish
[ -e killed/.wadi-lock ] || fail "where is the lock?"
touch killed/.wadi-99999999-7.tmp killed/checkpoint.wadi.new
touch killed/.wadi-1-0.tmp # another command writes it now
exec 8<killed/.wadi-1-0.tmp && flock 8
mkdir killed/.wadi-new-99999999 && touch killed/.wadi-new-99999999/height.npy
expect 0 'going on' "$WADI" run --resume killed --steps 2
[ -z "$(find killed -name '.wadi*' ! -name '.wadi-1-0.tmp' -o -name '*.new')" ] || fail "left: $(ls -A killed)"
[ -e killed/.wadi-1-0.tmp ] || fail "a living process's file was taken away"
exec 8<&-

# killed before the first checkpoint was in place: --resume says so, and the same command begins anew
mkdir early && touch early/.wadi-lock early/.wadi-99999999-0.tmp early/checkpoint.wadi.new
expect_error 2 'start it again as before' "$WADI" run --resume early
expect 0 '' "$WADI" run hills.npy --steps 20 --quiet -o early
[ -z "$(find early -name '.wadi*' -o -name '*.new')" ] || fail "left: $(ls -A early)"
same_hashes both-1 early
# somebody's hidden file is no leftover
mkdir mine && touch mine/.wadi-notes
expect_error 2 'the folder exists' "$WADI" run hills.npy --steps 1 -o mine

# killed while the results were put in place: the next that takes the folder ends that
cp -r both-1 cut && mkdir cut/.wadi-ready && mv cut/water.npy cut/flow.npy cut/run.json cut/.wadi-ready
expect_error 2 'is complete' "$WADI" run --resume cut
[ "$(ls -A cut)" = "$(ls -A both-1)" ] && cmp cut/run.json both-1/run.json || fail "not put in place: $(ls -A cut)"
# and so for one that takes the place of another: what the new one does not have goes
"$WADI" run hills.npy --steps 3 --quiet --maps water --format r32 -o new
cp -r both-1 replaced && mkdir replaced/.wadi-ready && cp new/*.r32 new/preview.png new/run.json replaced/.wadi-ready
cp new/checkpoint.wadi replaced
expect_error 2 'is complete' "$WADI" run --resume replaced
[ "$(ls -A replaced)" = "$(ls -A new)" ] && same_hashes new replaced || fail "not replaced: $(ls -A replaced)"

# without memory a run ends in order: it has begun and can go on, or it leaves no folder (AddressSanitizer takes more)
if (ulimit -v 300000 && "$WADI" --version) >/dev/null 2>&1; then
    for limit in 300000 200000 150000 130000 110000 90000 70000 50000; do
        code=0
        (ulimit -v $limit && exec "$WADI" run hills.npy --steps 1 --quiet -o small --threads 1 --backend cpu) >/dev/null 2>said || code=$?
        [ $code = 0 ] || [ ! -e small ] || [ "$(ls -A small)" = checkpoint.wadi ] ||
            fail "ended with $code, and left $(ls -A small): $(cat said)"
        rm -rf small
    done
fi
