# labels: once
# Every input of a run: settings, maps, rain, sources, hardness, water, mask.
. "$(dirname "$0")/lib.bash"

run() { "$WADI" run --no-preview hills.npy --steps 12 --quiet --maps all "$@"; }
differ() { [ "$(hashes "$1")" != "$(hashes "$2")" ] || fail "$2 is no other run than $1"; }

# A wide grid has a small preview. A large preview would take longest.
"$WADI" generate diamond-square --size 160x20 -o hills.npy >/dev/null
"$WADI" generate cone --size 160x20 --relief 0.009 -o rain.npy >/dev/null
"$WADI" generate basin --size 160x20 --relief 1 -o unit.npy >/dev/null
run -o plain
run -o set --set Kc=0.3 --set sediment-capacity=0.25
grep -q '"Kc": 0.25' set/run.json || fail "the last --set counts, by symbol or alias"
differ plain set
run -o choice --set advection=semi-lagrangian
grep -q '"advection": "semi-lagrangian"' choice/run.json || fail "choice"
run -o rate --rain 0.005
grep -q '"Kr": 0.005' rate/run.json || fail "--rain"
run -o map --rain @rain.npy
grep -q '@rain.npy' map/run.json || fail "--rain @map in run.json"
run -o map2 --set rain=@rain.npy
same_hashes map map2
differ rate map
run -o drops --rain drops:count=3,radius=2,rate=0.05
run -o drops2 --rain drops:rate=0.05,radius=2,count=3 --seed 7
grep -q '"drops"' drops/run.json || fail "drops in run.json"
differ drops drops2
printf 'x,y,radius_m,rate_m3s,start_s,end_s\r\n# the spring\r\n10.5,8.5,2,0.5\r\n20,5,0,1,0,0.1\r\n3,3,1,1,,\r\n' >springs.csv
run -o springs --sources springs.csv --pixel --rain 0
differ plain springs
for given in hardness water mask; do
    run -o $given --$given unit.npy
    grep -q "\"$given\": {" $given/run.json || fail "$given is not among the inputs"
    differ plain $given
done
run -o made --hardness height
grep -q '"hardness": "from height"' made/run.json || fail "--hardness height in run.json"
run -o uniform --hardness uniform
grep -q '"hardness": "uniform"' uniform/run.json || fail "--hardness uniform in run.json"
differ uniform made
run -o hard --set R=0.9 # one hardness for all cells, whatever the preset
grep -q '"hardness": "uniform"' hard/run.json || fail "--set R"
differ uniform hard
run -o wide --set Kc=900 --allow-out-of-range
for border in closed open wrap; do run -o $border --boundary $border; done
differ closed open
differ closed wrap
run -o model --model mei2007
[ "$(value model model)" = '"mei2007"' ] || fail "--model"
run -o preset --preset gullies
same_hashes model preset

refuse() { # TEXT OPTIONS...: exit 2, and no folder is left
    local text=$1
    shift
    expect_error 2 "$text" "$WADI" run --no-preview hills.npy -o refused --steps 5 "$@"
    [ ! -e refused ] || fail "a refused run left its folder: $*"
}
refuse "did you mean 'Kc'" --set Kcc=1
refuse 'is outside' --set Kc=900
refuse 'Kc' --set Kc=nan
refuse 'Kc' --set Kc=
refuse 'NAME=VALUE' --set Kc
refuse "did you mean 'flux'" --set advection=flax
refuse 'those that may be a map' --set g=@unit.npy
refuse 'file' --set Kc=@
refuse 'missing.npy' --set Kc=@missing.npy
refuse 'is outside' --rain 7
refuse 'is wanted' --rain much
refuse 'radius is missing' --rain drops:count=3,rate=1
refuse 'none of count' --rain drops:cuont=3
refuse 'a number from 0' --rain drops:count=-3,radius=1,rate=1
refuse 'did you mean water' --maps watr
refuse 'mei2007' --model mei2006
refuse 'valleys' --preset valeys
refuse 'gullies' --model jako2011 --preset gullies
refuse 'no hardness' --model mei2007 --hardness unit.npy
refuse 'leave one out' --time 3 --set dt=0.1
refuse 'needs --backend opencl or cuda' --device 1
refuse 'only device 0' --backend cpu --device 1
refuse 'the CPU is always strict' --backend cpu --arithmetic relaxed
refuse 'the CPU is always strict' --backend reference --arithmetic relaxed
refuse 'did you mean cuda' --backend cude
refuse 'add --pixel' --sources springs.csv
refuse 'cannot be read' --sources missing.csv --pixel
echo 'x,y,radius_m,rate_m3s' >bad.csv
refuse 'holds no source' --sources bad.csv --pixel
echo '1,2,3' >>bad.csv
refuse 'bad.csv:2: ' --sources bad.csv --pixel
for names in x,y,rate_m3s,radius_m x,y,radius_m,rate_m3s,end_s,start_s x,y,radius_m,rate_m3s,start_s,end_s,name; do
    printf '%s\n1,2,3,4\n' $names >bad.csv
    refuse 'bad.csv:1: the columns are not x,y,radius_m' --sources bad.csv --pixel
done
printf '1,2,3,4\n1,two,3,4\n' >bad.csv
refuse "bad.csv:2: y is 'two'" --sources bad.csv --pixel
printf '\n\n199,2,3,4\n' >bad.csv
refuse 'bad.csv:3: (199, 2) lies outside' --sources bad.csv --pixel
echo '1,2,3,4,9,5' >bad.csv
refuse 'end_s lies before' --sources bad.csv --pixel
echo '1,2,-3,4' >bad.csv
refuse 'radius_m is negative' --sources bad.csv --pixel
head -c 300 hills.npy >bad.csv
refuse 'not a text file' --sources bad.csv --pixel
"$WADI" generate cone --size 8x8 -o small.npy >/dev/null
for option in --hardness --water --mask; do refuse '8 x 8 cells, the height 160 x 20' $option small.npy; done
refuse '8 x 8 cells' --set Kc=@small.npy
refuse 'hills.npy' --hardness hills.npy # beyond 1

# A note reports samples that look like nodata. --nodata names them, in a recipe too.
{
    header=$(printf "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }")
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$header"
    printf '\x00\x3c\x1c\xc6' # -9999
    for ((i = 0; i < 11; i++)); do printf '\x00\x00\xc8\x42'; done # 100
} >hole.npy
printf '\x00\x00\xca\x42' | dd of=hole.npy bs=1 seek=160 conv=notrunc status=none # 101
expect 0 'warning: hole.npy: has cells of -9999, far from all others' "$WADI" info hole.npy
expect 0 'nodata   1 cells' "$WADI" info hole.npy --nodata -9999
expect 0 'nodata   2 cells' "$WADI" info hole.npy --nodata -9999,101
expect_error 2 'V is wanted' "$WADI" info hole.npy --nodata none
expect_error 2 'does not say whether its cells of -9999 are heights' "$WADI" run --no-preview hole.npy -o asis --steps 3
[ ! -e asis ] || fail "a refused run left its folder"
expect 0 'has cells of -9999' "$WADI" run --no-preview hole.npy -o asis --nodata 5 --steps 3
"$WADI" run --no-preview hole.npy -o named --nodata -9999 --steps 3 --quiet
differ asis named
"$WADI" run --no-preview --recipe named/run.json -o named2 --quiet
same_hashes named named2
printf 'input: hole.npy\nnodata: -9999\nsteps: 3\n' >hole.yaml
"$WADI" run --no-preview --recipe hole.yaml -o named3 --quiet
same_hashes named named3

# Slopes that no land has: cells of a millimetre, or heights in centimetres
{ printf 'ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 0.001\n' && seq -s ' ' 101 148; } >steep.asc
if "$WADI" info steep.asc >/dev/null 2>&1; then # GDAL is there
    expect_error 2 'half of its slopes are steeper than 85 degrees, with cells of 0.001 x 0.001 m' "$WADI" run --no-preview steep.asc -o no --steps 1
    [ ! -e no ] || fail "a refused run left its folder"
    for option in '--cell-size 0.001' '--cell-size 10' '--z-unit mm'; do
        # shellcheck disable=SC2086 # a word each
        "$WADI" run --no-preview steep.asc -o steep --steps 1 --quiet $option --force
    done
fi
