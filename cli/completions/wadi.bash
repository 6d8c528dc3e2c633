# bash completion of wadi: the words come from the command itself (wadi COMMAND --help-words).
_wadi() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} lines choices
    COMPREPLY=()
    if ((COMP_CWORD == 1)) || { [[ $command == help ]] && ((COMP_CWORD == 2)); }; then
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --help-words 2>/dev/null | cut -f 1) help version" -- "$current")
        return
    fi
    lines=$("${COMP_WORDS[0]}" "$command" --help-words 2>/dev/null) || return
    if [[ $before == --* ]] && choices=$(awk -F '\t' -v option="$before" '$1 == option && $2 != "" { print $3; found = 1 }
        END { exit !found }' <<<"$lines"); then
        if [[ -n $choices ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            compopt -o filenames 2>/dev/null
        fi
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cut -f 1 <<<"$lines") --help" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _wadi wadi
