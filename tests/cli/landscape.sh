# labels: once
# wadi render --3d draws the window's picture without a window. Without OpenGL it says what to install.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 96x64 --seed 3 -o island.npy >/dev/null
if ! said=$("$WADI" render island.npy --3d --cell-size 1 --picture 320x180 -o island.png 2>&1); then
    [[ $said == *install* ]] || fail "it does not say what to install: $said"
    [[ -z ${WADI_NEED_OPENGL:-} ]] || fail "$said"
    echo "skipped: $said"
    exit 77
fi
[[ $said == "island.png: 320 x 180 pixels, heights times "* ]] || fail "render --3d said $said"

# The picture has the requested size. Bytes 16 to 23 of a PNG are its width and height.
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{print $3 * 256 + $4 "x" $7 * 256 + $8}'; }
[[ $(size_of island.png) == 320x180 ]] || fail "island.png has $(size_of island.png) pixels"

"$WADI" run island.npy --steps 30 -o run --maps all --quiet
expect 0 'times 1' "$WADI" render run --3d --picture 200x200 --exaggeration 1 -o a.png
# Every option changes the picture.
for option in '--azimuth 90' '--elevation 60' '--distance 40' '--at 20,20' '--angle 60' '--sun 90,20' '--no-shadows' '--no-detail' '--no-sides' \
    '--map flow' '--map erosion' '--no-water' '--exaggeration 2'; do
    rm -f b.png
    # shellcheck disable=SC2086
    "$WADI" render run --3d --picture 200x200 --exaggeration 1 $option -o b.png >/dev/null
    ! cmp -s a.png b.png || fail "$option changes nothing"
done

# EGL alone gives a context that nothing can draw in.
mkdir none
touch none/libOpenGL.so.0 none/libGL.so.1
expect_error 2 'there is no OpenGL 3.3 without a window here: install' env LD_LIBRARY_PATH="$PWD/none" "$WADI" render run --3d -o c.png

# A picture of a map has a legend, unless an option leaves it out. Without a map there is no legend.
expect 0 'pixels' "$WADI" render run --3d --picture 400x300 --map flow -o legend.png
expect 0 'pixels' "$WADI" render run --3d --picture 400x300 --map flow --no-decoration -o bare.png
! cmp -s legend.png bare.png || fail "--no-decoration leaves the legend"
[[ $(size_of legend.png) == 400x300 ]] || fail "a legend makes the picture $(size_of legend.png)"
expect 0 'pixels' "$WADI" render run --3d --picture 200x200 --exaggeration 1 --no-decoration -o b.png --force
cmp -s a.png b.png || fail "--no-decoration changes what has no legend"

# Ice is drawn: a picture of its run differs from one of its bed, in perspective and flat.
"$WADI" run island.npy --cell-size 30 --model braun1999 --preset glaciers --steps 20 --set share=-0.2 -o ice --quiet
cp -r ice bed && rm bed/ice.*
for kind in "--3d --picture 200x200" ""; do
    for run in ice bed; do
        # shellcheck disable=SC2086
        "$WADI" render $run $kind --force -o $run.png >/dev/null
    done
    # shellcheck disable=SC2086
    "$WADI" render ice $kind --no-ice --force -o none.png >/dev/null
    ! cmp -s ice.png bed.png || fail "render $kind: no ice is drawn"
    cmp -s none.png bed.png || fail "render $kind --no-ice: ice is drawn"
done

expect_error 2 'picture' "$WADI" render run --3d --picture 20000x200 -o c.png
expect_error 2 'picture' "$WADI" render run --3d --picture 0x200 -o c.png
expect_error 2 'elevation' "$WADI" render run --3d --elevation 95 -o c.png
expect_error 2 'without --3d' "$WADI" render run --azimuth 20 -o c.png
expect_error 2 'with --3d' "$WADI" render run --3d --grey -o c.png
expect_error 2 'no such map' "$WADI" render run --3d --map nonsense -o c.png
[[ ! -e c.png ]] || fail "a picture was left"
