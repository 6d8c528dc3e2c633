# Functions that the scripts in this folder share.
#     TORTURE_SECONDS  how long each script runs (10)
#     TORTURE_SEED     another seed gives other moments and other files (1)
# A fault is printed with the command that shows it. Then the script continues. It stops after twenty faults.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.bash"
set +e # these scripts look at every code themselves
export OMP_NUM_THREADS=1

budget=${TORTURE_SECONDS:-10} seed=${TORTURE_SEED:-1} place=$PWD
library=${WADI_FAULT:-$WADI_BUILD/tests/fault.so}
RANDOM=$seed
wrongs=0 tried=0
name= what= # the case that is tried, and how it is tried again

usual_signals=(env --default-signal=INT,TERM,HUP) # a script's background commands would ignore some
time_left() { ((SECONDS < budget)); }

# random N: sets `chosen`, from 0 to N - 1. (In a subshell RANDOM would repeat its numbers.)
random() { chosen=$(((RANDOM << 15 | RANDOM) % $1)); }

wrong() {
    echo "WRONG: $what: $*"
    ((++wrongs < 20)) || finish
    return 1
}

finish() {
    echo "$(basename "$0"): seed $seed, $tried tried, $wrongs wrong, $SECONDS s"
    exit $((wrongs > 0))
}

# with_fault CALL AT HOW STAYS COMMAND...: runs the command with a fault. fault.c explains the words.
with_fault() {
    exec timeout -k 5 60 "${usual_signals[@]}" FAULT_CALL="$1" FAULT_AT="$2" FAULT_HOW="$3" FAULT_STAYS="$4" \
        FAULT_COUNT="$place/count" FAULT_MARK="$place/mark" LD_PRELOAD="$library" "${@:5}"
}

# The files in a folder with sums of their contents, "NAME SUM" per line. A run.json contains the duration of the run, so
# only the hashes of outputs and the end count. A checkpoint contains it too, and ffmpeg decides a film's bytes. Of these
# two only the name counts.
state() {
    (
        cd "$1" || exit
        find . -type f ! -name run.json ! -name checkpoint.wadi ! -name '*.mp4' -printf '%P\0' | sort -z |
            xargs -0r sha256sum -- | sed 's/^\([0-9a-f]*\) [ *]\(.*\)/\2 \1/'
        find . \( -name checkpoint.wadi -o -name '*.mp4' \) -printf '%P is there\n'
        find . -name run.json -printf '%P\n' | while read -r file; do
            echo "$file $({ hashes "$(dirname "$file")" && tail -n 1 "$file"; } | sha256sum)"
        done
    ) | sort
}

# Makes the small scenes for the commands once: `base` holds inputs and a finished run. A grid of few rows has a small
# preview. A large preview would take longest.
make_base() {
    mkdir base
    (
        cd base || exit
        "$WADI" generate diamond-square --size "$1" --seed 3 -o in.npy &&
            "$WADI" generate noise --size "$1" --relief 0.01 -o rain.npy &&
            "$WADI" run in.npy --steps 2 --model mei2007 --backend cpu --maps water,flow -o old --quiet
        printf '40,2,1,2\n10,1,0,1,0.5,3\n' >springs.csv
        cat >stages.yaml <<'TEXT'
input: in.npy
hardness: height
maps: all
stages:
  - {model: jako2011, steps: 2, rain: "@rain.npy", sources: springs.csv, pixel: true}
  - {model: olsen2004, steps: 1}
TEXT
    ) >base.log 2>&1
    [ -e base/old/run.json ] || fail "no inputs: $(cat base.log)"
}

# A finished run has a checkpoint too.
is_stopped() { [ -e "$1/checkpoint.wadi" ] && [ ! -e "$1/run.json" ]; }

# The cases: a name, and the words of a command. It runs in `case`, a copy of base.
declare -A cases wants whole
add_case() { cases[$1]=${*:2}; }
fresh() { rm -rf case mark && cp -r base case; }

# in_case COMMAND...: runs the command in `case`. Its output is in `said`, its errors are in `errors`. Returns its code.
in_case() { { (cd case && "$@" >../said 2>../errors </dev/null); } 2>/dev/null; }

# The files, the code and the output of an undisturbed run of the case.
measure() {
    name=$1
    fresh
    in_case "${@:2}" "$WADI" ${cases[$name]}
    wants[$name]=$?
    whole[$name]=$(state case)
    cp said "said-$name"
}

differences() { diff <(echo "${whole[$name]}") <(state case) | grep '^[<>]' | cut -c1-80 | paste -sd' '; }
is_whole() { [ "$(state case)" = "${whole[$name]}" ]; }
# ffmpeg writes a film while a run steps. If the film failed or the run was stopped, no film shows the whole run. A killed
# run leaves its unfinished film under a temporary name in the same folder. A resumed run makes no film, so it does not
# look there.
is_whole_but_film() {
    [[ ${cases[$name]} == *--video* &&
        $(state case | grep -vE '^\.wadi-[0-9-]+\.tmp ') == "$(grep -vxF 'film.mp4 is there' <<<"${whole[$name]}")" ]]
}

# No new file is partial. Files that existed still exist, unless --force has replaced them. `.wadi-ready` may be left: it
# holds complete outputs, and the next command for the folder moves them. `left` is a pattern of other files that may
# be left.
check_folder() {
    local line after left=${1:-}
    after=$(state case)
    while read -r line; do
        line=${line/.wadi-ready\//}
        [[ $line == '' || $line == *' is there' ]] && continue
        [[ -n $left && $line == $left ]] && continue
        grep -qxF -e "$line" <<<"$before"$'\n'"${whole[$name]}" || wrong "left $line" || return
    done <<<"$after"
    while read -r line; do
        grep -qF -e "${line% *} " <<<"$after" && continue
        grep -qF -e "${line% *} " <<<"${whole[$name]}" || [[ ${cases[$name]} == *' --force'* && -e case/old/run.json ]] ||
            wrong "$line is gone" || return
    done < <(grep -v ' is there' <<<"$before")
}

# Resumed or started again, the run gives the undisturbed result.
check_again() {
    local folder again code
    is_whole || is_whole_but_film && return
    again=${cases[$name]}
    folder=$(sed -n 's/^run .* -o \([^ ]*\) .*/\1/p; s/^run --resume \([^ ]*\).*/\1/p' <<<"$again ")
    if [ -n "$folder" ] && [ -e "case/$folder" ]; then
        in_case timeout -k 5 60 "$WADI" run --resume "$folder" --threads 1 --backend cpu --quiet && is_whole && return
        is_whole || is_whole_but_film && return # it was complete
        [[ $again == *--resume* ]] && { wrong "is not gone on with: $(cat errors) $(differences)"; return; }
    fi
    in_case timeout -k 5 60 "$WADI" $again
    code=$?
    [ "$code" = "${wants[$name]}" ] || wrong "'wadi $again' then ends with $code: $(cat errors)" || return
    is_whole || wrong "'wadi $again' then gives: $(differences)"
}

# --- runs that are stopped at random moments, again and again ---

# Starts a command, and waits for `ms` milliseconds. `pid` is its process.
start_for() { # start_for COMMAND...
    "${usual_signals[@]}" "$@" >log 2>&1 </dev/null &
    pid=$!
    sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
}

# A run in folder `out` has no results, or those of folder `whole`; then the next one begins anew.
check_out() {
    [ -e out/run.json ] || {
        [ ! -e out/height.npy ] || wrong "results without their list"
        return
    }
    [ "$(hashes whole)" = "$(hashes out)" ] || wrong "another result"
    rm -rf out
}

# Calls try_one TIMES times, or until the time is over. The last run then goes on to its end.
try_all() { # try_all [TIMES]
    SECONDS=0
    if (($#)); then budget=86400; fi
    while time_left && { ((!$#)) || ((tried < $1)); }; do try_one; done
    [ ! -e out/checkpoint.wadi ] || "$WADI" run --resume out --quiet --backend cpu
    [ ! -e out ] || [ "$(hashes whole)" = "$(hashes out)" ] || { what="${0##*/}: the last run"; wrong "another result"; }
    finish
}
