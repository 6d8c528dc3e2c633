# fish completion of wadi: the words come from the command itself (wadi COMMAND --help-words).
function __wadi_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    for line in ($words[1] $words[2] --help-words 2>/dev/null)
        set -l parts (string split \t -- $line)
        printf '%s\t%s\n' $parts[1] $parts[4]
    end
end
function __wadi_choices
    set -l words (commandline -opc)
    test (count $words) -ge 3; or return
    for line in ($words[1] $words[2] --help-words 2>/dev/null)
        set -l parts (string split \t -- $line)
        test "$parts[1]" = "$words[-1]"; and string split -n ' ' -- $parts[3]
    end
end
function __wadi_commands
    set -l words (commandline -opc)
    for line in ($words[1] --help-words 2>/dev/null)
        set -l parts (string split \t -- $line)
        printf '%s\t%s\n' $parts[1] $parts[4]
    end
end
complete -c wadi -n __fish_use_subcommand -f -a '(__wadi_commands)'
complete -c wadi -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__wadi_options)'
complete -c wadi -n 'not __fish_use_subcommand; and test -n "$(__wadi_choices)"' -f -a '(__wadi_choices)'
