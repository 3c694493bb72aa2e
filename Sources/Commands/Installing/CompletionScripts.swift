/// The shells for which there is a completion.
enum Shell: String, CaseIterable {
    case bash, fish, zsh

    /// A script for the shell, which asks this program for the candidates of each word.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .fish: Self.fishScript
        case .zsh: Self.zshScript
        }
    }

    private static let bashScript = #"""
        # Completion of cdev in bash: eval "$(cdev completion bash)", or a file in bash-completion's directory.
        _cdev() {
            local line
            COMPREPLY=()
            while IFS= read -r line; do
                COMPREPLY+=("${line%%$'\t'*}")
            done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F _cdev cdev

        """#

    private static let fishScript = #"""
        # Completion of cdev in fish: cdev completion fish | source, or ~/.config/fish/completions/cdev.fish.
        function __cdev_complete
            set -l words (commandline -opc) (commandline -ct)
            $words[1] __complete $words[2..-1] 2>/dev/null
        end
        complete -c cdev -f -a '(__cdev_complete)'

        """#

    private static let zshScript = #"""
        #compdef cdev
        # Completion of cdev in zsh: source <(cdev completion zsh), or a file _cdev in a directory of $fpath.
        _cdev() {
            local line
            local -a words_of shown
            for line in ${(f)"$(${words[1]} __complete "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
                words_of+=("${line%%$'\t'*}")
                shown+=("${line/$'\t'/  }")
            done
            compadd -l -d shown -a words_of
        }
        if [ "$funcstack[1]" = _cdev ]; then _cdev "$@"; else compdef _cdev cdev; fi

        """#
}

extension Command {
    static let completion = Command(
        "completion", operands: "bash|fish|zsh", 1...1, summary: "print a script that completes commands and open ids",
        details: """
            bash: eval "$(cdev completion bash)" in ~/.bashrc. zsh: source <(cdev completion zsh) in ~/.zshrc, after
            compinit. fish: cdev completion fish > ~/.config/fish/completions/cdev.fish.
            """
    ) { invocation in
        guard let shell = Shell(rawValue: invocation.operands[0]) else {
            throw CommandFailure.usage(
                "there is a completion for bash, fish and zsh, not for `\(invocation.operands[0].shown(40))`",
                invocation.command)
        }
        Terminal.write(shell.script)
    }
}
