#!/usr/bin/env bash
# prose.sh: plain English in the documents and in the comments of the code.
# - In each Markdown file the median sentence has at most 16 words, and nine of ten sentences have at most 30.
#   prose.awk counts. A file with few sentences is measured too.
# - In the comments of each folder the median sentence has at most 12 words, nine of ten have at most 22, and none has more
#   than 30.
# - Words that only this project used do not come back. The table below has the standard term for each.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
most_median=16 most_ninety=30
comment_median=12 comment_ninety=22 comment_longest=30

# The changelog is history: its entries are not measured.
documents() { find README.md CONTRIBUTING.md .github docs src cli viewer platform bench fuzz tests data -name '*.md' 2>/dev/null | sort; }

folders=(cli src/core src/engine src/io src/models src/render src/run src/terrain viewer platform web include bench fuzz examples tests)
commented() { find "$1" \( -name '*.[ch]' -o -name '*.sh' -o -name '*.bash' \) 2>/dev/null; }

# pattern (extended regular expression, whole words) | folders or files to search | standard term
coined='
walks?                               | src/engine src/core include bench docs tests/unit tests/scenes | fused sweep
march(es|ed|ing)?                    | src include cli viewer tests bench docs | fused sweep
torus(es)?                           | src include cli viewer platform tests bench fuzz docs README.md | periodic grid (wrap)
strips?                              | src/engine src/core include cli bench tests/unit/test_engines.c docs/architecture.md docs/performance.md docs/gpu.md | column tiles
lean                                 | src/engine src/core src/models | reduced switches
pieces?                              | src/engine | range of a row, allocation
reckon(s|ed|ing)?                    | src include cli viewer platform tests bench fuzz docs README.md | compute, reduce
hand(s|ed)? on                       | src include cli viewer platform tests bench fuzz docs README.md | pass to the next stage
share(s|d)? out                      | src include cli viewer platform tests bench fuzz docs README.md | partition, schedule
la(id|y|ys) (together|apart)         | src include cli viewer platform bench fuzz docs README.md | interleave, separate
com(e|es|ing) ahead                  | src include cli viewer platform tests bench fuzz docs README.md | prefetch
goe?s? on around                     | src include cli viewer platform tests bench fuzz docs README.md | periodic (wrap)
groups stay                          | src include cli viewer platform tests bench fuzz docs README.md | persistent kernel
whole lanes                          | src include cli viewer platform tests bench fuzz docs README.md | warp-uniform test
texts? that (asks?|need not ask)     | src include cli viewer platform tests bench fuzz docs README.md | bounds-checked variant, interior variant
what lies beside                     | src include cli viewer platform tests bench fuzz docs README.md | halo, neighbour, margin
what is told                         | src include cli viewer platform tests bench fuzz docs README.md | report, diagnostics
'

failed=0
complain() {
    echo "prose: $*" >&2
    failed=1
}

# The word counts on standard input, sorted: "median ninetieth".
ranks() { awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] + 0, n[int((9 * NR + 9) / 10)] + 0 }'; }

check_lengths() {
    local file sentences median ninety
    while read -r file; do
        sentences=$(awk -f "$here/prose.awk" "$file")
        read -r median ninety < <(cut -f 1 <<<"$sentences" | sort -n | ranks)
        ((median <= most_median)) || complain "$file: the median sentence has $median words, at most $most_median"
        ((ninety <= most_ninety)) && continue
        complain "$file: one sentence in ten has $ninety words or more, at most $most_ninety. The longest:"
        sort -rn <<<"$sentences" | head -n 3 | cut -f 1,3 >&2
    done < <(documents)
}

check_comments() {
    local folder sentences median ninety longest
    for folder in "${folders[@]}"; do
        sentences=$(commented "$folder" | tr '\n' '\0' | xargs -0 -r awk -f "$here/prose.awk" | sort -rn)
        [[ -n $sentences ]] || continue
        read -r median ninety < <(cut -f 1 <<<"$sentences" | sort -n | ranks)
        ((median <= comment_median)) || complain "$folder: the median sentence of comments has $median words, at most $comment_median"
        ((ninety <= comment_ninety)) || complain "$folder: one sentence of comments in ten has $ninety words or more, at most $comment_ninety"
        longest=$(awk -F '\t' -v most="$comment_longest" '$1 > most' <<<"$sentences")
        [[ -z $longest ]] || complain "comments with more than $comment_longest words in a sentence:"$'\n'"$longest"
    done
}

check_words() {
    local pattern places term found
    while IFS='|' read -r pattern places term; do
        read -r pattern <<<"$pattern"
        [[ -n $pattern ]] || continue
        # shellcheck disable=SC2086  # a list of folders
        found=$(grep -rnwE --include='*.[ch]' --include='*.cpp' --include='*.sh' --include='*.md' --include='*.txt' \
            --exclude=prose.sh "$pattern" $places 2>/dev/null || true)
        [[ -z $found ]] || complain "say \"${term# }\" here:"$'\n'"$found"
    done <<<"$coined"
}

check_all() {
    failed=0
    check_lengths
    check_comments
    check_words
    return "$failed"
}

# A small tree passes, and fails with a long sentence, with long ones throughout, and with a coined word.
check_the_check() {
    local tree i words='one two three four five six seven eight nine ten'
    tree=$(mktemp -d)
    pushd "$tree" >/dev/null
    mkdir -p docs src/engine
    must_fail() { ! check_all 2>/dev/null || { echo "prose: not found: $1" >&2; exit 1; }; }
    plain() { for ((i = 0; i < 8; i++)); do echo "This sentence is short and plain."; done; }
    plain >README.md
    { echo '```'; echo "$words $words $words $words"; echo '```'; echo "| $words $words $words $words |"; } >>README.md
    echo '/* The fused sweep. A walker. */' >src/engine/a.c
    check_all || { echo "prose: plain text fails" >&2; exit 1; }
    { plain; echo "$words $words $words $words."; } >docs/long.md
    must_fail "a tenth of long sentences"
    { echo "$words $words."; echo "$words $words."; } >docs/long.md
    must_fail "a long median"
    rm docs/long.md
    echo '/* One walk over the rows. */' >src/engine/a.c
    must_fail "a coined word"
    comment() { printf '%s\n' "$1" >src/engine/a.c; }
    comment "/* $words $words $words one. */"
    must_fail "a comment of 31 words"
    comment "const char *text = \"/* $words $words $words $words. */\"; /* Short. */"
    check_all || { echo "prose: a string is taken for a comment" >&2; exit 1; }
    { echo "/* A table:"; echo " *     $words $words $words $words"; echo ' * Short. */'; } >src/engine/a.c
    check_all || { echo "prose: a table in a comment is taken for prose" >&2; exit 1; }
    comment "/* $words and three more. */"
    must_fail "a long median of comments"
    comment '/* Short. */'
    { echo "# $words $words"; echo "# $words two."; echo 'echo done'; } >src/engine/a.sh
    must_fail "a long comment in a script"
    rm src/engine/a.sh
    popd >/dev/null
    rm -r "$tree"
}

check_the_check
cd "$here/.."
check_all || exit 1
