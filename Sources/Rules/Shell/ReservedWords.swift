/// First words of a command that are shell syntax and not a program.
enum ReservedWords {
    /// The union of bash 5.2's `compgen -k` and zsh 5.9's `$reswords`, as far as they consist of characters that a
    /// first word may have, and `let`, whose operands are arithmetic.
    static let all: Set<String> = [
        "case", "coproc", "declare", "do", "done", "elif", "else", "end", "esac", "export", "fi", "float", "for",
        "foreach", "function", "if", "in", "integer", "let", "local", "nocorrect", "readonly", "repeat", "select",
        "then",
        "time", "typeset", "until", "while",
    ]
}
