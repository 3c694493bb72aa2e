import Glibc
import Platform

/// A person's login shell, and the environment that it makes.
package struct LoginShell: Sendable {
    package let path: String
    /// Seconds: a profile may wait for a network that is not there.
    package let patience: Double

    /// The shell of `SHELL`, else that of the user's entry; `nil` for none.
    package init?(environment: [String: String], patience: Double = 10) {
        guard let path = environment["SHELL"].flatMap({ $0.hasPrefix("/") ? $0 : nil }) ?? Self.ofUser else {
            return nil
        }
        self.path = path
        self.patience = patience
    }

    private static var ofUser: String? {
        guard let entry = getpwuid(geteuid()), let shell = entry.pointee.pw_shell else { return nil }
        let path = String(cString: shell)
        return path.isEmpty ? nil : path
    }

    package enum Answer: Sendable, Hashable {
        case variables([String: String])
        /// A reason, for people.
        case failed(String)
    }

    /// Asks the shell, which reads the person's profile. Waits for it.
    package func environment(from environment: [String: String]) -> Answer {
        let words = [path, "-l", "-c", Self.command]
        guard let run = ChildProcess.run(words, environment: environment, seconds: patience) else {
            return .failed("\(path) could not be started")
        }
        guard !run.isTimedOut else { return .failed("\(path) -l did not end within \(Int(patience)) s") }
        guard let variables = Self.variables(in: run.output) else {
            return .failed("\(path) -l told no environment")
        }
        return .variables(variables)
    }

    /// A profile may print something too: the variables stand between two marks.
    private static let command = "printf '\\000%s\\000' \(mark); /usr/bin/env -0; printf '%s\\000' \(mark)"
    private static let mark = "cdev-environment-\(UInt64.random(in: .min ... .max))"

    private static func variables(in output: String) -> [String: String]? {
        let parts = output.split(separator: "\0", omittingEmptySubsequences: false)
        guard let begin = parts.firstIndex(of: mark[...]), let end = parts.lastIndex(of: mark[...]), begin < end else {
            return nil
        }
        var variables: [String: String] = [:]
        for entry in parts[(begin + 1)..<end] {
            guard let equals = entry.firstIndex(of: "="), equals > entry.startIndex else { continue }
            variables[String(entry[..<equals])] = String(entry[entry.index(after: equals)...])
        }
        for name in ofTheShell { variables[name] = nil }
        return variables.isEmpty ? nil : variables
    }

    /// Variables that mean this one run of the shell.
    private static let ofTheShell = ["OLDPWD", "PWD", "SHLVL", "_"]
}
