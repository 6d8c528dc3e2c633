# What the blocks of pages call. `wadi` is the command with fewer cells and steps, on the CPU; what a page's block leaves is looked for.
# Other programs are not run, for the reasons given here.
declare -A fresh # files that the test put there, which a block may make anew
for name in *; do fresh[$name]=1; done

smaller() { # WxH: at most 48 a side
    local w=${1%x*} h=${1#*x}
    echo "$((w < 48 ? w : 48))x$((h < 48 ? h : 48))"
}

# A recipe with few steps and cells, beside the page's own.
shorten() {
    local short=${1%.yaml}.short.yaml
    sed -E 's/(steps|repeat): [0-9]+/\1: 2/; s/size: ([0-9]+x[0-9]+|\[[0-9, ]+\])/size: 100x100/; s/\{at: [0-9]+/{at: 1/' "$1" >"$short"
    echo "$short"
}

# The options of a command are those that its help lists.
known_options() {
    local command=$1 option help
    shift
    [[ $command != help ]] || command=${1:-run}
    help=$HELP/$command
    [[ -e $help ]] || "$WADI" help "$command" >"$help" || { rm "$help" && echo "there is no command $command" >&2 && return 1; }
    for option; do
        [[ $option == --* && $option != --help ]] || continue
        grep -qE -- "(^| )$option( |,|$)" "$help" || { echo "wadi $command has no $option" >&2; return 1; }
    done
}

wadi() {
    local command=$1 words=("$1") made='' long=1 next word
    shift
    known_options "$command" "$@"
    [[ $command != view ]] || return 0 # tests/viewer/window.sh
    while (($#)); do
        word=$1 next=${2:-}
        shift
        case $word in
        --size) words+=(--size "$(smaller "$next")") && shift ;;
        --seeds) words+=(--seeds "${next%..*}..$((${next%..*} + 1))") && shift ;;
        --recipe) [[ $next == *.yaml ]] && next=$(shorten "$next"); words+=(--recipe "$next") && long=0 && shift ;;
        --tile) words+=(--tile "${next%/*}/2x2") && shift ;;
        --backend) shift ;; # tests/cli/gpu.sh
        --device | --devices) shift ;;
        --every) words+=(--every 1) && shift ;; # as many saved maps as a page's commands ask for
        --tile-size) words+=(--tile-size 65) && shift ;;
        --scratch) words+=(--scratch .) && shift ;;
        --steps | --time | --resume) words+=("$word" "$next") && long=0 && shift ;;
        --help | --list) words+=("$word") && long=0 ;;
        --3d) words+=(--3d --picture 320x180) ;;
        -o | --video)
            words+=("$word" "$next") && made+=" $next" && shift
            [[ -z ${fresh[$next]:-} ]] || { rm -r "$next" && unset "fresh[$next]"; }
            ;;
        *) words+=("$word") ;;
        esac
    done
    [[ " ${words[*]} " != *' --dry-run '* ]] || made=''
    [[ $command != demo || $long == 0 || " ${words[*]} " == *' --size '* ]] || words+=(--size 48x48)
    [[ $command != run || " ${words[*]} " == *' --help '* ]] || words+=(--backend cpu)
    [[ $command != run || $long == 0 ]] || words+=(--steps 3)
    "$WADI" "${words[@]}" >said.txt 2>&1 </dev/null || { cat said.txt >&2; return 1; }
    for word in $made; do [[ -s $word ]] || { echo "wadi ${words[*]}: no $word" >&2; return 1; }; done
    echo "${words[*]}" >>"$RAN"
}

# Several processes are tests/cli/mpi.sh's; here the command runs as one.
mpirun() { while [[ $1 != wadi ]]; do shift; done && "$@"; }
srun() { mpirun "$@"; }
export SLURM_SUBMIT_DIR=.
mpicc() { if command -v mpicc >/dev/null; then command mpicc "$@"; fi; }
gdalmdimtranslate() { # GDAL of Debian 12 without its netCDF plugin cannot. grep -q would end gdalinfo by a closed pipe
    if gdalinfo --formats | grep netCDF >/dev/null; then command gdalmdimtranslate "$@"; fi
}
dev() { "$ROOT/dev" help | grep -qE "^\./dev $1( |$)"; } # it builds: CI runs it
seq() { command seq 4; } # so many tiles
script() { [[ -x $ROOT/$1 ]]; } # it takes minutes
sudo() { [[ $1 == apt && (${*:2} != *.deb || ${*:3} == ./build/deb/*.deb) ]]; } # tests/packages.sh
