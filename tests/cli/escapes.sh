# labels: once
# Every command shows text from files without control characters: in messages, tables and JSON.
. "$(dirname "$0")/lib.bash"

# A terminal command, a new line, a C1 control as a byte and as UTF-8, a letter, right-to-left text, invalid UTF-8
evil=$'a\e[31m\nb\x9bc\xc2\x9bd\xc3\xa9e\xe2\x80\xaef\xff'
shown='a\x1b[31m\nb\x9bc\u009bd'$'\xc3\xa9''e\u202ef\xff'

plain() {
    local rest
    rest=$(sed $'s/\xc3\xa9//g' "$1" | LC_ALL=C tr -d '\n -~' | od -An -c)
    [ -z "$rest" ] || fail "$2: shows $rest: $(cat -v "$1")"
}

# refused COMMAND...: the command fails with a message of one line
refused() {
    code=0
    "$@" >out 2>&1 </dev/null || code=$?
    plain out "${*:2:2}"
    [ $code = 2 ] || [ $code = 1 ] || fail "${*:2:2}: ended with $code: $(cat out)"
    [ "$(grep -vcE '^wadi: (note|warning): ' out)" = 1 ] || fail "${*:2:2}: more than one line: $(cat out)"
    grep -qF "$shown" out || fail "${*:2:2}: does not show the name: $(cat out)"
}

# shows TEXT COMMAND...
shows() {
    local text=$1
    shift
    "$@" >out 2>&1 </dev/null || fail "${*:2:2}: $(cat -v out)"
    plain out "${*:2:2}"
    grep -qF "$text" out || fail "${*:2:2}: does not show the name: $(cat out)"
}

"$WADI" generate cone --size 12x8 -o h.npy >/dev/null
refused "$WADI" info "$evil"
refused "$WADI" run --no-preview "$evil"
refused "$WADI" export "$evil" -o x.obj
refused "$WADI" render "$evil" -o x.png
refused "$WADI" "$evil"
refused "$WADI" help "$evil"
refused "$WADI" info h.npy "--$evil"
refused "$WADI" compare "$evil" h.npy
refused "$WADI" compare h.npy "$evil"
refused "$WADI" generate "$evil" -o x.npy
refused "$WADI" generate cone -o "$evil"
refused "$WADI" generate cone -o "$evil/x.npy"
refused "$WADI" models "$evil"
refused "$WADI" presets "$evil"
refused "$WADI" bench --model "$evil"
refused "$WADI" bench --csv "$evil/x.csv"
refused "$WADI" render h.npy -o "$evil"
refused "$WADI" export h.npy -o "$evil"
refused "$WADI" info h.npy --plot "$evil"
refused "$WADI" run --no-preview h.npy --set "$evil=1"
refused "$WADI" run --no-preview h.npy --rain "@$evil"
refused "$WADI" run --no-preview h.npy --sources "$evil"
refused "$WADI" run --no-preview h.npy --mask "$evil"
refused "$WADI" run --no-preview h.npy -o "$evil/x/y"
refused "$WADI" run --no-preview --resume "$evil"
refused "$WADI" run --no-preview --recipe "$evil"
printf '1,2,%s,4\n' "${evil//$'\n'/}" >springs.csv
shown=${shown/\\n/} refused "$WADI" run --no-preview h.npy --sources springs.csv

# On standard output
shows "$shown.npy" "$WADI" generate cone --size 12x8 -o "$evil.npy"
shows "$shown.obj" "$WADI" export h.npy -o "$evil.obj"
shows "files    $shown: height.npy" "$WADI" run --no-preview h.npy --steps 1 --maps none -o "$evil"
shows "folder   $shown.dry" "$WADI" run --no-preview h.npy --steps 1 -o "$evil.dry" --dry-run
if has_format png; then
    refused "$WADI" render "$evil" -o x.png --map "$evil"
    shows "$shown.png" "$WADI" render h.npy -o "$evil.png"
fi

# JSON has escapes of its own, and stays valid.
"$WADI" info "$evil.npy" --json >info.json 2>/dev/null
plain info.json 'info --json'
check_json all info.json
grep -q '"path": "a\\u001b\[31m\\u000ab\\ufffdc\\u009bd' info.json || fail "$(head -2 info.json)"
"$WADI" run --no-preview h.npy --steps 1 --maps none -o "$evil" --force --json --quiet >lines.json 2>/dev/null
plain lines.json 'run --json'
check_json lines lines.json
plain "$evil/run.json" run.json

# A run.json from another program
if "$WADI" info "$evil" >/dev/null 2>&1; then
    sed -i 's/"preset": [^,]*,/"preset": "x\\u001b[31m\\u009by\\u202ez",/; s/"device": "[^"]*"/"device": "\xc2\x9bq"/' "$evil/run.json"
    shows 'preset x\x1b[31m\u009by\u202ez' "$WADI" info "$evil"
    shows '"device": "\u009bq"' "$WADI" info "$evil" --json
    check_json all out
fi

# Keys and values of a recipe
if "$WADI" run --no-preview --recipe /dev/null 2>&1 | grep -q 'not built'; then exit 0; fi
shown='a\x1b[31mb\u009bc'
printf 'input: h.npy\n"a\\e[31mb\\u009bc": 3\n' >key.yaml
refused "$WADI" run --no-preview --recipe key.yaml
printf 'input: h.npy\nstages:\n  - model: "a\\e[31mb\\u009bc"\n' >value.yaml
refused "$WADI" run --no-preview --recipe value.yaml
