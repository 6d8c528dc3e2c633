# labels: once
# Help, version, mistyped commands and options.
. "$(dirname "$0")/lib.bash"

expect 2 'usage: wadi COMMAND' "$WADI"
expect 0 'wadi 0.' "$WADI" --version
expect 0 'usage: wadi COMMAND' "$WADI" help
mapfile -t commands < <("$WADI" help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p')
[ "${#commands[@]}" -ge 11 ] || fail "help lists these commands alone: ${commands[*]}"
for command in "${commands[@]}"; do
    [ "$command" != view ] || continue # below
    expect 0 "wadi $command" "$WADI" help "$command"
    ! grep ' ,' <<<"$said" || fail "help $command: a list that begins with nothing"
    first=$said
    expect 0 "wadi $command" "$WADI" "$command" --help
    [ "$first" = "$said" ] || fail "help $command and $command --help differ"
    expect_error 2 'has no such option' "$WADI" "$command" --nothing-like-it
done
# `wadi view` starts the window's program, where it was built.
if [ -x "$WADI-view" ]; then
    expect 0 '--model ID' "$WADI" view --help
    # It takes the options of a simulation, and none of a run's folder, length or video.
    for option in rain sources backend threads size; do
        grep -q -- "^  --$option " <<<"$said" || fail "view has no --$option"
    done
    for option in output steps maps no-checkpoint strict-inputs force video every fps 3d azimuth; do
        ! grep -qE -- "^  (-., )?--$option( |$)" <<<"$said" || fail "view has --$option"
    done
    expect_error 2 'did you mean --model?' "$WADI" view --modle x
    DISPLAY='' WAYLAND_DISPLAY='' expect_error 1 'no display' "$WADI" view
else
    expect_error 2 'install libgtk-4-dev' "$WADI" view
fi

expect_error 2 'did you mean run?' "$WADI" rnu
expect_error 2 'did you mean --steps?' "$WADI" run x.tif --stesp 3
expect_error 2 'did you mean --steps?' "$WADI" run x.tif --stesp=3
expect_error 2 "'wadi help run' lists them" "$WADI" run x.tif --qqqqqqqqqqqq
expect_error 2 'its value is missing' "$WADI" run x.tif --steps
expect_error 2 'its value is missing' "$WADI" run x.tif --steps --force
expect_error 2 'takes no value' "$WADI" run x.tif --force=yes
expect_error 2 'a whole number is wanted' "$WADI" run x.tif --steps 1.5
expect_error 2 'a whole number is wanted' "$WADI" run x.tif --steps 99999999999999999999
expect_error 2 'from 0 to' "$WADI" run x.tif --steps -3
expect_error 2 'a number is wanted' "$WADI" run x.tif --time nan
expect_error 2 'from 1 to' "$WADI" run x.tif --threads 0
expect_error 2 'from 1 to 1024' "$WADI" run x.tif --threads 100000
expect_error 2 'one argument too many' "$WADI" run x.tif y.tif
expect_error 2 'INPUT is missing' "$WADI" run
expect_error 2 'is missing' "$WADI" compare a.tif
expect_error 2 'like 1024x512' "$WADI" generate cone --size 12 -o x.tif
expect_error 2 'like 1024x512' "$WADI" generate cone --size 12x -o x.tif
expect_error 2 '2x2 or more' "$WADI" generate cone --size 1x5 -o x.tif
expect_error 2 'did you mean' "$WADI" run x.tif --boundary opne

# --x=V and --x V, -oV, --, and negative numbers
expect 0 'cone' "$WADI" generate --size=6x5 --base -3 -otwo.npy -- cone
expect 0 '6 x 5' "$WADI" info two.npy
# No refused command left a file.
[ "$(ls)" = two.npy ] || fail "left behind: $(ls)"
