# wadi bench measures every combination of its lists, and writes JSON and CSV. Wrong options are refused before it measures.
. "$(dirname "$0")/lib.bash"

echo old >table.csv
expect_error 2 'exists; --force replaces it' "$WADI" bench --csv table.csv
expect_error 2 'is a folder' "$WADI" bench --csv .
expect_error 2 'no folder nowhere' "$WADI" bench --csv nowhere/table.csv
expect_error 2 'from 1 to 1024' "$WADI" bench --threads 1,0
expect_error 2 'a whole number is wanted' "$WADI" bench --threads 1, --size 64x48
expect_error 2 'from 0 to 16' "$WADI" bench --substeps-per-pass 1,17
expect_error 2 'a multiple of 16' "$WADI" bench --tile-columns 5
expect_error 2 'like 1024x512' "$WADI" bench --size 64x48 --size 64
expect_error 2 'at most 16 in a list' "$WADI" bench --threads "$(seq -s, 17)"
expect_error 2 'with --model' "$WADI" bench --variant beta=0.1
expect_error 2 'NAME=VALUE' "$WADI" bench --model swenson2018 --variant beta
expect_error 2 'beta = 9 is outside' "$WADI" bench --model swenson2018 --variant beta=0.1,r=0 --variant beta=9
expect_error 2 'did you mean' "$WADI" bench --model swenson2017
[ "$(cat table.csv)" = old ] && [ "$(ls)" = table.csv ] || fail "a refused bench left: $(ls)"

# rows LINE...: the table has exactly these lines: model, settings, width, height, threads, sub-steps per pass, columns of a tile
rows() {
    [ "$(wc -l <table.csv)" = $(($# + 1)) ] || fail "$(wc -l <table.csv) lines in the table: $(cat table.csv)"
    for row; do [ "$(grep -c ",swenson2018,$row," table.csv)" = 1 ] || fail "not once: $row: $(cat table.csv)"; done
}
bench=("$WADI" bench --model swenson2018 --repeats 1 --csv table.csv --force)

"${bench[@]}" --size 48x20 --threads 1,2 --substeps-per-pass 1,2 --tile-columns 32 --json >out.json
rows ,48,20,1,1,32 ,48,20,1,2,32 ,48,20,2,1,32 ,48,20,2,2,32
check_json all out.json
[ "$(grep -c '"model": "swenson2018"' out.json)" = 4 ] || fail "results in JSON: $(cat out.json)"
for key in bandwidth_bytes_per_s operations_per_s divisions_per_s device results; do
    grep -q "^  \"$key\": " out.json || fail "no $key in JSON"
done

if sanitized; then exit; fi # the same again; most of it measures the machine
"${bench[@]}" --set E=0.002 --variant beta=0.1 --variant beta=0.2,r=0.001 --size 64x48,32x16 --threads 1 \
    --substeps-per-pass 3 >out.txt
rows {'E=0.002 beta=0.1','E=0.002 beta=0.2 r=0.001'},{'64,48','32,16'},1,3,0
[ "$(grep -c 'M cell-steps/s' out.txt)" = 4 ] || fail "lines: $(cat out.txt)"
columns=cpu,isa,model,settings,width,height,threads,substeps_per_pass,tile_columns,cell_steps_per_s,lowest_cell_steps_per_s
columns+=,highest_cell_steps_per_s,bytes_per_cell_step,operations_per_cell_step,bandwidth_bytes_per_s,operations_per_s
columns+=,divisions_per_s,bandwidth_fraction,arithmetic_fraction
[ "$(head -1 table.csv)" = $columns ] || fail "the header: $(head -1 table.csv)"
# After the settings: width, height, threads, sub-steps per pass, columns of a tile, then numbers. All are above 0, and the
# median lies between the lowest and the highest.
sed -n '2,$s/.*,swenson2018,[^,]*,//p' table.csv | awk -F, '
    NF != 15 { exit 1 }
    { for (i = 6; i <= 13; i++) if (!($i > 0)) exit 1 }
    $7 > $6 || $8 < $6 { exit 1 }' || fail "the numbers: $(cat table.csv)"
[ "$(ls)" = "$(printf 'out.json\nout.txt\ntable.csv')" ] || fail "left behind: $(ls)"
