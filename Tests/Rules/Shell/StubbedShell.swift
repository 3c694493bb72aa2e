import Foundation
import Rules

/// A shell in which every command only records its words, to find out what a line would run.
///
/// Functions replace builtins. All other commands reach the shell's own handler for unknown commands, because PATH is
/// empty.
struct StubbedShell: Sendable {
    let name: String
    let arguments: [String]
    private let path: String

    static func all() throws -> [StubbedShell] {
        try [
            StubbedShell("bash", ["--norc", "--noprofile"]), StubbedShell("zsh", ["-f"]),
            StubbedShell("zsh", ["-f", "-o", "extendedglob"]),
        ]
    }

    private init(_ name: String, _ arguments: [String]) throws {
        self.name = name
        self.arguments = arguments
        path = try Program(name).path
    }

    /// A command that ran.
    struct Record: Hashable {
        /// The index of the line that ran the command.
        let line: Int
        let directory: String
        let words: [String]
    }

    private static let builtins = [
        ".", ":", "[", "alias", "bg", "bind", "command", "declare", "dirs", "disown", "echo", "enable", "eval", "exec",
        "export", "false", "fc", "fg", "getopts", "hash", "history", "jobs", "kill", "let", "local", "logout", "popd",
        "pushd", "pwd", "read", "readonly", "set", "shift", "shopt", "source", "suspend", "test", "times", "trap",
        "true",
        "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait", "whence", "where", "which", "setopt",
        "unsetopt",
        "zmodload", "autoload", "vared", "print", "printf", "rehash", "limit", "sched", "noglob", "bindkey", "compgen",
        "caller",
    ]

    /// The builtins that a function replaces: all but those whose name the shell reserves, and those that the stubs
    /// use.
    private var stubbed: [String] {
        let reserved: Set<String> =
            name == "zsh"
            ? ["declare", "export", "local", "readonly", "typeset", "noglob"] : ["noglob"]
        return Self.builtins.filter { !reserved.contains($0) && $0 != "printf" && $0 != "unset" && $0 != "exec" }
    }

    /// Runs each line in its directory and returns the commands that ran.
    /// - Parameter status: the exit status of every stub.
    func run(_ lines: [(line: String, directory: String)], status: Int, scratch: URL) throws -> [Record] {
        let file = scratch.appending(path: "record-\(UUID().uuidString)")
        var script = prelude(status: status, names: names(in: lines.map(\.line)))
        for (index, item) in lines.enumerated() {
            script +=
                "( LINE=\(index); builtin cd -P \(quote(item.directory)) || exit; builtin eval \(quote(item.line)) ) "
            script += "</dev/null >/dev/null 2>&1\n"
        }
        let scriptFile = scratch.appending(path: "script-\(UUID().uuidString)")
        try Data(script.utf8).write(to: scriptFile)
        let environment = [
            "PATH": "/nowhere", "HOME": scratch.path, "RECORD": file.path, "LC_ALL": "C.UTF-8", "TMPDIR": scratch.path,
        ]
        _ = try Program(name).run(arguments + [scriptFile.path], environment: environment)
        return try parse(Data(contentsOf: file))
    }

    /// The first words of the lines that can be names of functions. A function need not fork, as the handler does.
    private func names(in lines: [String]) -> [String] {
        let reserved: Set<String> = ["exec", "unset", "printf", "builtin", "cd", "set_record", "eval"]
        let words = lines.flatMap { (try? ShellSplitter.split($0)) ?? [] }.map(\.name)
        return Set(words).subtracting(reserved).subtracting(Self.builtins).filter { name in
            name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isLetter == true
        }.sorted()
    }

    private func prelude(status: Int, names: [String]) -> String {
        // One printf is one write, so the records of commands in a pipeline do not mix.
        let record = #"builtin printf '%s\037' "$LINE" "$PWD" "$@" $'\036' >&9"#
        let handler = name == "bash" ? "command_not_found_handle" : "command_not_found_handler"
        var text = "exec 9>>\"$RECORD\"\nunalias -a\n"
        text += "\(handler)() { \(record); return \(status); }\n"
        for builtin in stubbed + names { text += "function \(builtin) { set_record \(quote(builtin)) \"$@\"; }\n" }
        text += "function set_record { \(record); return \(status); }\n"
        text += "function cd { set_record cd \"$@\"; builtin cd \"$@\"; }\n"
        return text
    }

    private func quote(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private func parse(_ data: Data) -> [Record] {
        data.split(separator: 0x1E, omittingEmptySubsequences: true).compactMap { chunk in
            var fields = chunk.split(separator: 0x1F, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            // printf writes a separator after each field and after the record mark, so a record may begin with one.
            if fields.first == "" { fields.removeFirst() }
            guard fields.count >= 3, fields.last == "", let line = Int(fields[0]) else { return nil }
            return Record(line: line, directory: fields[1], words: Array(fields[2..<(fields.count - 1)]))
        }
    }
}
