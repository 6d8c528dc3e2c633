#!/usr/bin/env bash
# The site: each link leads to a page, and each page is in the menu or linked. pages.sh runs its commands.
set -euo pipefail
repo=$(cd "$WADI_DATA/.." && pwd)
if ! command -v mkdocs >/dev/null; then
    echo "SKIPPED: mkdocs is not installed"
    exit 77
fi
"$repo/docs/site/make.sh" "$WADI" site
for page in index start embedding reference/command models/jako2011 project/include/wadi/sim.h project/CONTRIBUTING; do
    [[ -s site/html/$page.html ]] || { echo "no page $page" >&2; exit 1; }
done
grep -q -- '--checkpoint-every N' site/html/reference/command.html
grep -q 'sediment-capacity' site/html/reference/command.html
! grep -rlE '(src|href)="https?://[^"]*\.(css|js|woff2?)' site/html --include=*.html | grep . || { echo "a page needs a network" >&2; exit 1; }

echo "== broken links are found"
mkdir -p broken
cp -r "$repo/docs" broken/docs
mkdir -p broken/include
cp -r "$repo/include/wadi" broken/include/
cp -r "$repo"/{examples,bench,tests,src,CONTRIBUTING.md,CHANGELOG.md} broken/
echo '[nowhere](nowhere.md)' >>broken/docs/sea.md
if broken/docs/site/make.sh "$WADI" other 2>refused.txt; then exit 1; fi
grep 'sea.md: no such file: nowhere.md' refused.txt
