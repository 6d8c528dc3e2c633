# Videos of runs: their frames, unchanged bits of the run, refusals, and the files that remain after a stop.
. "$(dirname "$0")/lib.bash"

mkdir bin work # in the one stand-ins for ffmpeg, in the other all else
bin=$PWD/bin
cd work
"$WADI" generate diamond-square --size 48x32 --seed 3 -o hills.npy >/dev/null
scene=(hills.npy --steps 30 --seed 4)

# No refused run leaves a folder or a file.
refused() {
    expect_error 2 "$@"
    [ "$(ls -A)" = hills.npy ] || fail "left behind: $(ls -A)"
}
refused 'not found: install ffmpeg' env PATH=/nowhere "$WADI" run --no-preview "${scene[@]}" -o out --video film.mp4
refused 'ends in .mp4, .webm or .gif' "$WADI" run --no-preview "${scene[@]}" -o out --video film.avi
refused 'ends in .mp4, .webm or .gif' "$WADI" run --no-preview "${scene[@]}" -o out --video .mp4
refused '--every: goes with --video' "$WADI" run --no-preview "${scene[@]}" -o out --every 5
refused '--fps: goes with --video' "$WADI" run --no-preview "${scene[@]}" -o out --fps 5
refused '--3d: goes with --video' "$WADI" run --no-preview "${scene[@]}" -o out --3d
refused '--sun: goes with --video FILE --3d' "$WADI" run --no-preview "${scene[@]}" -o out --video film.mp4 --sun 90,20
refused 'from 1 to' "$WADI" run --no-preview "${scene[@]}" -o out --video film.mp4 --every 0
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || exit 77

# What the codec cannot encode is refused before the run too.
fake() { { echo '#!/bin/sh' && cat; } >"$bin/ffmpeg" && chmod +x "$bin/ffmpeg"; }
fake <<<'echo "Unknown encoder" >&2; exit 1'
refused 'film.mp4: cannot be written: ffmpeg: Unknown encoder' env PATH="$bin:$PATH" "$WADI" run --no-preview "${scene[@]}" -o out --video film.mp4
rm "$bin/ffmpeg"
refused 'no folder nowhere' "$WADI" run --no-preview "${scene[@]}" -o out --video nowhere/film.mp4
mkdir folder.mp4
expect_error 2 'is a folder' "$WADI" run --no-preview "${scene[@]}" -o out --video folder.mp4
rmdir folder.mp4
refused 'picture' "$WADI" run --no-preview "${scene[@]}" -o out --video film.mp4 --3d --picture 20000x200

"$WADI" run --no-preview "${scene[@]}" -o plain --quiet

probe() { ffprobe -v error -count_frames -show_entries "stream=$2" -of csv=p=0 "file:$1" | tr -d '\n'; }
# frames FILE COUNT: the file has COUNT frames, and the last one differs from the first
frames() {
    [ "$(probe "$1" nb_read_frames)" = "$2" ] || fail "$1 has $(probe "$1" nb_read_frames) frames, not $2"
    rm -rf shots && mkdir shots
    ffmpeg -v error -i "file:$1" -fps_mode passthrough shots/%03d.ppm
    ! cmp -s shots/001.ppm "$(printf 'shots/%03d.ppm' "$2")" || fail "$1: nothing changes"
}

# A map at the start, every 8 steps, and at the end. The file name has characters of shells and protocols.
expect 0 'video    a: $(b) '"'c'"'.mp4: 5 frames' "$WADI" run --no-preview "${scene[@]}" -o map --video "a: \$(b) 'c'.mp4" --every 8 --fps 10
frames "a: \$(b) 'c'.mp4" 5
[ "$(probe "a: \$(b) 'c'.mp4" codec_name,pix_fmt,r_frame_rate)" = h264,yuv420p,10/1 ] || fail "$(probe "a: \$(b) 'c'.mp4" codec_name,pix_fmt,r_frame_rate)"
case $(probe "a: \$(b) 'c'.mp4" width,height) in *[02468],*[02468]) ;; *) fail "odd sides" ;; esac
same_hashes plain map
check_json all map/run.json
sed -n '/^  "video"/,/^  }/p' map/run.json | tr -d ' \n' | grep -qF '"every":8,"frames":5,"frames_per_s":10,' || fail "run.json: $(sed -n '/"video"/,/}/p' map/run.json)"
! grep -q '"video"' plain/run.json || fail "a run without a video names one"
[ -z "$(find . -name '.wadi*')" ] || fail "left: $(find . -name '.wadi*')"
# Without --every there are at most some 250 frames; here one each step.
expect 0 'one every 4 steps' "$WADI" run --no-preview hills.npy --steps 1000 -o dry --video dry.mp4 --dry-run
[ ! -e dry ] && [ ! -e dry.mp4 ] || fail "a dry run wrote"
# An existing video is kept, unless --force is given.
expect_error 2 'exists; --force' "$WADI" run --no-preview "${scene[@]}" -o again --video "a: \$(b) 'c'.mp4"
[ ! -e again ] || fail "a refused run left its folder"
expect 0 '' "$WADI" run --no-preview hills.npy --steps 0 -o map --video "a: \$(b) 'c'.mp4" --force --quiet
[ "$(probe "a: \$(b) 'c'.mp4" nb_read_frames)" = 1 ] || fail "no steps: $(probe "a: \$(b) 'c'.mp4" nb_read_frames) frames"

# The other formats, in a run folder that does not exist yet
expect 0 '' "$WADI" run --no-preview "${scene[@]}" -o kinds --video kinds/film.webm --every 15 --maps none
frames kinds/film.webm 3
[ "$(probe kinds/film.webm codec_name)" = vp9 ] || fail "webm: $(probe kinds/film.webm codec_name)"
expect 0 '' "$WADI" run --no-preview "${scene[@]}" -o gif --video film.GIF --every 15 --maps none
frames film.GIF 3

mkdir recipes
# In perspective
if "$WADI" render hills.npy --3d --picture 64x64 -o test.png >/dev/null 2>&1; then
    expect 0 '' "$WADI" run --no-preview "${scene[@]}" -o land --video land.mp4 --every 15 --3d --picture 161x91 --azimuth 30 --sun 90,30 --no-shadows
    frames land.mp4 3
    [ "$(probe land.mp4 width,height)" = 160,90 ] || fail "land.mp4 has $(probe land.mp4 width,height) pixels"
    same_hashes plain land
    # Ice comes, and ends with its stage: the picture gets brighter, and darker again.
    printf 'input: ../hills.npy\nvideo: ice.mp4\nevery: 4\nlevels: 1\nground: dry\n3d: true\npicture: 160x90\nstages:\n  - {model: braun1999, steps: 8, set: {share: -1}}\n  - {model: schott2023, steps: 8}\n' >recipes/ice.yaml
    case $("$WADI" run --no-preview --recipe recipes/ice.yaml -o ice 2>&1 || true) in
    *'not built'*) ;;
    *)
        frames recipes/ice.mp4 5
        read -r before there after <<<"$(for i in 1 2 5; do od -An -v -w1 -tu1 -j20 shots/00$i.ppm | awk '{ sum += $1 } END { printf "%.0f ", sum }'; done)"
        ((there > before * 103 / 100 && there > after * 103 / 100)) || fail "ice: frames of brightness $before $there $after"
        ;;
    esac
fi

# A video from a recipe is written to the recipe's folder.
printf 'input: ../hills.npy\nvideo: film.mp4\nevery: 5\nlevels: 1\nstages:\n  - {model: schott2023, steps: 7}\n  - {model: braun1999, steps: 6}\n' >recipes/two.yaml # with ice that comes later
case $("$WADI" run --no-preview --recipe recipes/two.yaml -o two 2>&1 || true) in
*'not built'*) ;;
*)
    frames recipes/film.mp4 4
    sed -i 's/every: 5/every: 5\nfps: 0/' recipes/two.yaml
    expect_error 2 'recipes/two.yaml:4:6: ' "$WADI" run --no-preview --recipe recipes/two.yaml -o three
    sed -i 's/fps: 0/fps: 9/; s/^video.*//' recipes/two.yaml
    expect_error 2 'goes with --video' "$WADI" run --no-preview --recipe recipes/two.yaml -o three
    ;;
esac

# ffmpeg dies: the run warns, continues, and ends as failed. There is no file.
fake <<'TEXT'
case $* in *' null '*) cat >/dev/null; exit 0 ;; esac
head -c 5000000 >/dev/null
echo 'No room' >&2
echo 'Conversion failed!' >&2
exit 1
TEXT
expect_error 1 'dead.mp4: cannot be written: ffmpeg: No room' env PATH="$bin:$PATH" "$WADI" run --no-preview "${scene[@]}" -o dead --video dead.mp4 --every 3 --quiet
same_hashes plain dead
! grep -q '"video"' dead/run.json || fail "run.json names a video that is not there"
# ffmpeg is killed while it writes the last frame.
fake <<<'case $* in *" null "*) cat >/dev/null; exit 0 ;; esac; cat >/dev/null; kill -9 $$'
expect_error 1 'dead.mp4: cannot be written: ffmpeg was stopped' env PATH="$bin:$PATH" "$WADI" run --no-preview "${scene[@]}" -o dead2 --video dead.mp4 --every 10 --quiet
same_hashes plain dead2
rm "$bin/ffmpeg"
[ ! -e dead.mp4 ] && [ -z "$(find . -name '.wadi*')" ] || fail "left: $(find . -name '*wadi*' -o -name dead.mp4)"

# A run that fails leaves an earlier video. The last frame shows the end, with its events.
cp hills.npy old.mp4
expect_error 1 '' "$WADI" run --no-preview hills.npy --allow-out-of-range --set Kc=1e38 --steps 60 -o broken --video old.mp4 --every 1 --force
cmp -s hills.npy old.mp4 || fail "a run that failed replaced the video"
printf 'input: hills.npy\nsteps: 4\nevents:\n  - {at: 4, paint: raise, radius_m: 1000, strength: 60, dabs: "5,5"}\n' >last.yaml
expect 0 '' "$WADI" run --no-preview --recipe last.yaml -o last --video last.mp4 --every 2 --quiet
ffmpeg -loglevel error -i last.mp4 -f framemd5 - | grep -v '^#' >sums
[ "$(wc -l <sums)" = 3 ] || fail "frames: $(cat sums)"
for i in 1 2 3; do ffmpeg -loglevel error -y -i last.mp4 -vf "select=eq(n\,$((i - 1)))" -frames:v 1 -f rawvideo frame$i; done
bytes() { od -An -v -w1 -tu1 "$1"; }
apart() { paste <(bytes "$1") <(bytes "$2") | awk '{ d = $1 - $2; n += d > 40 || d < -40 } END { print n + 0 }'; }
[ "$(apart frame2 frame3)" -gt $((10 * ($(apart frame1 frame2) + 10))) ] || fail "the last frame is not the end: $(apart frame1 frame2) $(apart frame2 frame3)"

# A terminal sends Ctrl-C to the whole process group. The video so far is complete, and the rest is a video of its own.
long=(hills.npy --steps 60 --seed 4)
every=2
if sanitized; then every=10; fi # frames take most of the time
"$WADI" run --no-preview "${long[@]}" -o whole --quiet
for _ in 1 2 3 4 5 6; do
    rm -rf stopped part.mp4
    set -m
    begin "${long[@]}" -o stopped --video part.mp4 --every $every
    set +m
    sleep 0.3
    kill -INT -$pid 2>/dev/null || true
    finish
    [ $code != 130 ] || break
done
[ $code = 130 ] || fail "SIGINT: ended with $code: $(cat err)"
check_json lines log
grep -q 'part.mp4 holds the run so far' err || fail "does not say what became of the video: $(cat err)"
tail -1 log | grep -q '"video": {"path": "part.mp4"' || fail "last line: $(tail -1 log)"
count=$(probe part.mp4 nb_read_frames)
all=$((60 / every + 1))
[ "$count" -ge 1 ] && [ "$count" -lt $all ] || fail "part.mp4 has $count frames"
expect_error 2 'video of its own' "$WADI" run --no-preview --resume stopped --video part.mp4
expect_error 2 'does not go with --resume' "$WADI" run --no-preview --resume stopped --video rest.mp4 --force
expect 0 'rest.mp4' "$WADI" run --no-preview --resume stopped --video rest.mp4 --every $every
same_hashes whole stopped
rest=$(probe rest.mp4 nb_read_frames)
[ $((count + rest)) -ge $all ] && [ $((count + rest)) -le $((all + 2)) ] || fail "$count and $rest frames"
[ -z "$(find . -name '.wadi*')" ] || fail "left: $(find . -name '.wadi*')"
