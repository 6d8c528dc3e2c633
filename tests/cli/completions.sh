# labels: once
# Completions of bash, zsh and fish, and manual pages: all words are those of the command's help.
. "$(dirname "$0")/lib.bash"
repo=$(cd "$WADI_DATA/.." && pwd)
PATH=$(dirname "$WADI"):$PATH

says() { grep -qxF -- "$2" <<<"$1" || fail "no '$2' in: $1"; }

options_of_help() { "$WADI" help "$1" | grep -oE '^  (-., )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'; }

mapfile -t commands < <("$WADI" help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p')
[ "$(printf '%s\n' "${commands[@]}")" = "$("$WADI" --help-words | cut -f 1)" ] || fail "--help-words: other commands"
for command in "${commands[@]}"; do
    [ "$command" != view ] || [ -x "$WADI-view" ] || continue
    [ "$(options_of_help "$command")" = "$("$WADI" "$command" --help-words | cut -f 1)" ] || fail "$command: other words"
    "$WADI" "$command" --help-man >"$command.1"
    options_of_help "$command" | sed 's/-/\\-/g' >options
    [ "$(grep -cF -f options "$command.1")" -ge "$(wc -l <options)" ] || fail "$command: its page lacks an option"
done
"$WADI" --help-man >wadi.1
grep -qF 'wadi\-run (1)' wadi.1 || fail "wadi.1 does not name the other pages"
if command -v man >/dev/null; then
    LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z ./*.1 2>&1 >/dev/null | tee warnings
    [ ! -s warnings ] || fail "a manual page that man warns of"
else
    echo "SKIPPED: man is not installed"
fi

# The words that bash offers for a line, whose last word is being typed.
bash_words() (
    # shellcheck source=/dev/null
    . "$repo/cli/completions/wadi.bash"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _wadi
    printf '%s\n' "${COMPREPLY[@]}"
)
touch hills.tif
says "$(bash_words wadi ru)" run
says "$(bash_words wadi help re)" render
says "$(bash_words wadi run --ste)" --steps
says "$(bash_words wadi run x.tif --boundary o)" open
says "$(bash_words wadi run --mask hil)" hills.tif
says "$(bash_words wadi run hil)" hills.tif
[ -z "$(bash_words wadi run --nothing-li)" ] || fail "bash: a word from nowhere"

if command -v fish >/dev/null; then
    fish_words() { fish --no-config -c "source '$repo/cli/completions/wadi.fish'; complete -C '$1'" | cut -f 1; }
    says "$(fish_words 'wadi ru')" run
    says "$(fish_words 'wadi run --ste')" --steps
    says "$(fish_words 'wadi run --boundary o')" open
    says "$(fish_words 'wadi run hil')" hills.tif
else
    echo "SKIPPED: fish is not installed"
fi
if command -v zsh >/dev/null; then
    # zsh's own stand-ins show what would be offered.
    zsh_words() {
        zsh -f -c "_describe() { print -l \$described; }; _arguments() { print -l -- \$@; }
            words=($1) CURRENT=$2; source '$repo/cli/completions/_wadi'"
    }
    grep -q '^run:erode' <<<"$(zsh_words 'wadi ru' 2)" || fail "zsh: no command"
    grep -qF -- '*--boundary=[' <<<"$(zsh_words 'wadi run --bo' 3)" || fail "zsh: no option"
    grep -qF -- ':KIND:(closed open wrap)' <<<"$(zsh_words 'wadi run --bo' 3)" || fail "zsh: no choice"
else
    echo "SKIPPED: zsh is not installed"
fi
