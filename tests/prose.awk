# prose.awk: sentence lengths of Markdown prose. Prints "words<TAB>file<TAB>sentence" for each sentence.
# Code blocks, tables, headings and link targets are no prose. A list item or a paragraph ends a sentence.
function flush_text(   n, i, parts, words, w, s) {
    gsub(/\]\([^)]*\)/, "]", text)                    # link targets
    gsub(/`[^`]*`/, "CODE", text)                     # code is one word
    gsub(/e\.g\.|i\.e\.|etc\.|et al\.|vs\.|Fig\.|Figs\.|eq\.|eqs\.|approx\./, "ABBR", text)
    gsub(/[.!?]["')\]*]*([ \t\n]+|$)/, "&\001", text)
    n = split(text, parts, "\001")
    for (i = 1; i <= n; i++) {
        s = parts[i]
        gsub(/[ \t\n]+/, " ", s)
        sub(/^ /, "", s)
        words = split(s, w, " ")
        if (words > 1) printf "%d\t%s\t%s\n", words, FILENAME, s
    }
    text = ""
}
FNR == 1 { if (text != "") flush_text(); code = 0 }
/^[ \t]*```/ { flush_text(); code = !code; next }
code || /^    / && text == "" || /^\|/ || /^#/ || /^!\[/ { flush_text(); next }
/^[ \t]*$/ { flush_text(); next }
/^[ \t]*([-*]|[0-9]+\.) / { flush_text(); sub(/^[ \t]*([-*]|[0-9]+\.) /, "") }
{ text = text " " $0 }
END { flush_text() }
