/// Commands by which an interpreter checks a file that it could run: `bash -n run.sh`, `python3 -m py_compile gen.py`.
enum FileCheckers {
    /// True if the command runs none of the files among its operands. What is not known to check them may run them.
    static func includes(_ command: [String]) -> Bool {
        guard let name = command.first.map(DeniedCommand.baseName) else { return false }
        if shells.contains(name) { return onlyParses(command.dropFirst()) }
        if let options = checking[name] {
            return command.count > 1 && options.contains(command[1]) && !isOption(command.dropFirst(2).first)
        }
        return name.utf8.starts(with: "python".utf8)
            && module(behind: command.dropFirst()).map(modules.contains) == true
    }

    /// Options of interpreters that only parse the file behind them.
    private static let checking: [String: Set<String>] = ["node": ["--check", "-c"], "php": ["-l"], "ruby": ["-c"]]

    /// Shells that read `-n` as POSIX says (sh, "set"): they read commands and do not run them.
    private static let shells: Set<String> = ["ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"]

    /// True for options with `-n` among them and none that undoes it: `-i` and `+n` do.
    private static func onlyParses(_ words: ArraySlice<String>) -> Bool {
        if words.prefix(2).elementsEqual(["-o", "noexec"]) { return !isOption(words.dropFirst(2).first) }
        let options = words.prefix { isOption($0) }
        return options.contains { $0.utf8.contains(UInt8(ascii: "n")) }
            && options.allSatisfy { option in
                option.utf8.first == UInt8(ascii: "-") && option.utf8.dropFirst().allSatisfy("envux".utf8.contains)
            }
    }

    private static func isOption(_ word: String?) -> Bool { word?.utf8.first.map("-+".utf8.contains) ?? false }

    /// The module that Python runs: `-m x`, `-mx`, `-um x`, behind other options.
    private static func module(behind words: ArraySlice<String>) -> String? {
        var words = words
        while let word = words.popFirst(), word.utf8.first == UInt8(ascii: "-") {
            guard let option = PythonOptions.valued(in: word) else { continue }
            switch option.letter {
            case UInt8(ascii: "m"): return option.attached.isEmpty ? words.first : option.attached
            case UInt8(ascii: "W"), UInt8(ascii: "X"): if option.attached.isEmpty { words = words.dropFirst() }
            default: return nil
            }
        }
        return nil
    }

    /// Modules that read the files named, or collect tests from them, as the programs of the same names do.
    private static let modules: Set<String> = [
        "ast", "autopep8", "bandit", "black", "compileall", "dis", "flake8", "isort", "mypy", "py_compile",
        "pycodestyle",
        "pydocstyle", "pyflakes", "pylint", "pytest", "ruff", "tabnanny", "tokenize", "vulture", "yapf",
    ]
}
