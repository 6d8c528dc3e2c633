# Functions that the scripts in this folder share. WADI is the command, WADI_DATA the folder with jacksboro.tif.
set -euo pipefail
export NO_COLOR=1 OMP_WAIT_POLICY=passive

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# expect CODE TEXT COMMAND...: the command ends with CODE and prints TEXT (a fixed string) on either stream. All that it
# prints is then in the variable `said`.
said=
expect() {
    local code=$1 text=$2 got=0
    shift 2
    said=$("$@" 2>&1 </dev/null) || got=$?
    [ "$got" = "$code" ] || fail "'$*' ended with $got, not $code: $said"
    case $said in
    *"$text"*) ;;
    *) fail "'$*' did not say '$text' but: $said" ;;
    esac
}

# An error is one line, beginning "wadi: ".
expect_error() {
    expect "$@"
    [ "$(grep -vcE '^wadi: (note|warning): ' <<<"$said")" = 1 ] || fail "more than one line: $said"
    [ "$(grep -c '^wadi: ' <<<"$said")" = "$(wc -l <<<"$said")" ] || fail "no 'wadi: ' before: $said"
}

# begin OPTIONS...: starts `wadi run` in the background, and waits until it steps or has ended. `pid` is its process. Its
# output is in `log` and `err`.
begin() {
    local i
    : >log # what the last one said does not count
    env --default-signal=INT,HUP "$WADI" run --no-preview "$@" --json >log 2>err &
    pid=$!
    for ((i = 0; i < 3000; i++)); do
        ! grep -q '"start"' log || break
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.01
    done
}
# stop SIGNAL: sends the signal to the run that was begun. `code` is its exit code.
stop() {
    kill "-$1" "$pid" 2>/dev/null || true
    finish
}
finish() { code=0; wait "$pid" 2>/dev/null || code=$?; }

# until_it PATTERN PID: until a file has such a name, or the process has ended. It starts no process of its own: on a busy
# machine that takes longer than the writing it waits for.
until_it() {
    while kill -0 "$2" 2>/dev/null && ! compgen -G "$1" >/dev/null; do short_rest; done
}
short_rest() {
    [ -n "${never:-}" ] || exec {never}<> <(:) # nothing ever comes from there
    read -rt 0.001 -u "$never" || true
}
tries=40 # how often a moment is tried that a busy machine may miss

# True under sanitizers, which take ten times as long. They need one pass over the code, not one for each model.
sanitized() { [ "${WADI_SANITIZED:-0}" = 1 ]; }

# All models, one per line.
models() { "$WADI" models --json | sed -n 's/^ *{"id": "\([a-z0-9_]*\)".*/\1/p'; }

# All models; under sanitizers the first and the last one. There test_engines and test_behaviour run the physics of all.
models_to_run() { if sanitized; then models | sed -n '1p;$p'; else models; fi; }

# The hashes of outputs in a run.json, name and sha256 per line.
hashes() {
    sed -n '/^  "outputs"/,$p' "$1/run.json" | sed -n 's/^    "\([a-z]*\)": {$/\1/p; s/^      "sha256": "\([0-9a-f]*\)",*$/\1/p' |
        paste -d' ' - -
}

same_hashes() {
    [ -n "$(hashes "$1")" ] || fail "$1/run.json names no outputs"
    [ "$(hashes "$1")" = "$(hashes "$2")" ] || fail "$1 and $2 differ: $(hashes "$1") / $(hashes "$2")"
}

# A top-level value of a run.json, as it is written there.
value() { sed -n "s/^  \"$2\": \(.*[^,]\),*\$/\1/p" "$1/run.json"; }

# Valid JSON, one document per line or one in all. It is checked where a checker is installed.
check_json() {
    command -v python3 >/dev/null || return 0
    python3 - "$1" "$2" <<'EOF' || fail "$2 is not valid JSON"
import json, sys
text = open(sys.argv[2], encoding="utf-8").read()
for part in text.splitlines() if sys.argv[1] == "lines" else [text]:
    json.loads(part)
EOF
}

has_format() { "$WADI" generate cone --size 4x4 --force -o "probe.$1" >/dev/null 2>&1; }
