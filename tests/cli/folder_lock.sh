# Only one process at a time writes in a run folder. Files of killed processes are removed.
. "$(dirname "$0")/lib.bash"

"$WADI" generate noise --size 256x192 --seed 3 -o hills.npy >/dev/null

# start OPTIONS...: starts a run in the background, and waits for its first checkpoint
start() {
    begin hills.npy --steps 100000000 --threads 1 --quiet "$@"
    grep -q '"start"' log || fail "no start: $(cat err)"
}

# While a run is alive, every other process is refused in its folder. The run does not notice.
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

# Two runs start at once in one folder. One of them runs, and its result is complete.
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

# A killed run leaves the lock file, but no lock.
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

# A run is killed before its first checkpoint. --resume says so, and the same command starts again.
mkdir early && touch early/.wadi-lock early/.wadi-99999999-0.tmp early/checkpoint.wadi.new
expect_error 2 'start it again as before' "$WADI" run --resume early
expect 0 '' "$WADI" run hills.npy --steps 20 --quiet -o early
[ -z "$(find early -name '.wadi*' -o -name '*.new')" ] || fail "left: $(ls -A early)"
same_hashes both-1 early
# A user's hidden file is kept.
mkdir mine && touch mine/.wadi-notes
expect_error 2 'the folder exists' "$WADI" run hills.npy --steps 1 -o mine

# A run is killed while it moves its results into place. The next command in the folder completes the move.
cp -r both-1 cut && mkdir cut/.wadi-ready && mv cut/water.npy cut/flow.npy cut/run.json cut/.wadi-ready
expect_error 2 'is complete' "$WADI" run --resume cut
[ "$(ls -A cut)" = "$(ls -A both-1)" ] && cmp cut/run.json both-1/run.json || fail "not put in place: $(ls -A cut)"
# The same for a run that replaces another: files that the new run does not have are removed.
"$WADI" run hills.npy --steps 3 --quiet --maps water --format r32 -o new
cp -r both-1 replaced && mkdir replaced/.wadi-ready && cp new/*.r32 new/preview.png new/run.json replaced/.wadi-ready
cp new/checkpoint.wadi replaced
expect_error 2 'is complete' "$WADI" run --resume replaced
[ "$(ls -A replaced)" = "$(ls -A new)" ] && same_hashes new replaced || fail "not replaced: $(ls -A replaced)"

# a link by that name leads elsewhere: what is there stays there
mkdir precious && echo mine >precious/height.npy && echo mine >precious/notes
cp -r both-1 linked && ln -s ../precious linked/.wadi-ready
expect_error 2 'linked/.wadi-ready: cannot be read' "$WADI" run --resume linked --steps 1
[ "$(cat precious/height.npy precious/notes)" = "mine
mine" ] && same_hashes both-1 linked || fail "taken from elsewhere: $(ls precious)"

# Without memory a run ends in order: it can be resumed, or it leaves no folder. (AddressSanitizer takes more memory.)
if (ulimit -v 300000 && "$WADI" --version) >/dev/null 2>&1; then
    for limit in 300000 200000 150000 130000 110000 90000 70000 50000; do
        code=0
        (ulimit -v $limit && exec "$WADI" run hills.npy --steps 1 --quiet -o small --threads 1 --backend cpu) >/dev/null 2>said || code=$?
        [ $code = 0 ] || [ ! -e small ] || [ "$(ls -A small)" = checkpoint.wadi ] ||
            fail "ended with $code, and left $(ls -A small): $(cat said)"
        rm -rf small
    done
fi
