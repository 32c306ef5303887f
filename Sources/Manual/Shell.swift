/// The shells that can complete, each with a script that only asks `gesturectl complete`.
///
/// The answer has lines: a word, a tab, and its meaning; `:files` and `:folders` where the shell's
/// own names fit; `:open` where a word goes on behind the offer.
package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    package var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let bashScript = #"""
        # Completes gesturectl, gestured and gesture-web in bash.
        _gesturectl() {
            local line tool=gesturectl current=${COMP_WORDS[COMP_CWORD]}
            [ "${COMP_WORDS[0]##*/}" = gesturectl ] && tool=${COMP_WORDS[0]}
            [ "$current" = "=" ] && current=
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                :files)
                    compopt -o filenames
                    while IFS= read -r line; do COMPREPLY+=("$line"); done \
                        < <(compgen -f -- "$current")
                    ;;
                :folders)
                    compopt -o filenames
                    while IFS= read -r line; do COMPREPLY+=("$line"); done \
                        < <(compgen -d -- "$current")
                    ;;
                :open) compopt -o nospace ;;
                ?*) COMPREPLY+=("${line%%$'\t'*}") ;;
                esac
            done < <("$tool" complete "${COMP_WORDS[0]##*/}" "${COMP_WORDS[@]:1:COMP_CWORD}" \
                2>/dev/null)
        }
        complete -F _gesturectl gesturectl gestured gesture-web
        """#

    private static let zshScript = #"""
        #compdef gesturectl gestured gesture-web
        # Completes gesturectl, gestured and gesture-web in zsh.
        _gesturectl() {
            local line tool=gesturectl result=1
            local -a found wanted end
            [[ ${words[1]:t} == gesturectl ]] && tool=${words[1]}
            # Of --option=value only the value is completed, and what is offered is cut as well.
            local lead=
            [[ $PREFIX == --*=* ]] && lead=${PREFIX%%=*}=
            for line in ${(f)"$("$tool" complete "${words[1]:t}" "${(@Q)words[2,CURRENT]}" \
                2>/dev/null)"}; do
                case $line in
                :files) wanted+=(_files) ;;
                :folders) wanted+=('_files -/') ;;
                :open) end=(-S '') ;;
                ?*) line=${line#$lead} && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
                esac
            done
            [[ -n $lead ]] && compset -P '--[^=]##='
            if (( $#found )); then
                _describe -V "${words[1]:t}" found "${end[@]}" && result=0
            fi
            for line in $wanted; do ${=line} && result=0; done
            return result
        }
        if [[ $funcstack[1] == _gesturectl ]]; then
            _gesturectl "$@"
        else
            compdef _gesturectl gesturectl gestured gesture-web
        fi
        """#

    private static let fishScript = #"""
        # Completes gesturectl, gestured and gesture-web in fish.
        function __gesturectl_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l lead (string match -r -- '^--[^=]+=' "$current")
            set -l value (string replace -r -- '^--[^=]+=' '' "$current")
            set -l program (string replace -r '.*/' '' -- $words[1])
            set -l tool gesturectl
            test "$program" = gesturectl; and set tool $words[1]
            for line in ($tool complete $program $words[2..-1] "$current" 2>/dev/null)
                switch $line
                    case :files
                        for path in (__fish_complete_path "$value")
                            echo "$lead$path"
                        end
                    case :folders
                        for path in (__fish_complete_directories "$value" '')
                            echo "$lead$path"
                        end
                    case :open
                        # Fish adds no space behind a slash by itself.
                    case '*'
                        echo $line
                end
            end
        end
        complete -c gesturectl -f -a '(__gesturectl_complete)'
        complete -c gestured -f -a '(__gesturectl_complete)'
        complete -c gesture-web -f -a '(__gesturectl_complete)'
        """#
}
