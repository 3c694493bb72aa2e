package import Core
import Glibc
import Platform

/// Asks the installed git which files it tracks and ignores. Nothing of the repository runs for that: no hook, no monitor of
/// files, no fetching of what a partial clone lacks.
package struct GitFileFacts: Sendable {
    private let git: String?
    private let environment: [String: String]

    /// - Parameter environment: Of the daemon, for `PATH` and the user's own settings of git.
    package init(environment: [String: String]) {
        git = Self.find(in: environment["PATH"] ?? "")
        self.environment = Self.safe.merging(environment.filter { Self.kept.contains($0.key) }) { ours, _ in ours }
    }

    private static let kept = ["HOME", "PATH", "XDG_CONFIG_HOME"]
    private static let safe = [
        "GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    ]
    private static let options = [
        "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never",
        "-c", "safe.bareRepository=explicit",
    ]

    private static func find(in path: String) -> String? {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { $0 + "/git" }.first { access($0, X_OK) == 0 }
    }

    /// `nil` where there is no repository, or git does not answer in time.
    package func facts(of names: [String], in directory: WorkspacePath, root: String) -> GitNames? {
        let prefix = directory.isRoot ? "" : directory.text + "/"
        guard
            let tracked = ask(["ls-files", "-z", "--", ":(glob)" + Self.escaped(prefix) + "*"], root, [], good: [0])
        else { return nil }
        // A name that begins with a colon would be read as a pattern.
        let asked = names.flatMap { (name) -> [UInt8] in Array("./\(prefix)\(name)".utf8) + [0] }
        // Its status is 1 where no name is ignored.
        let ignored = ask(["check-ignore", "-z", "--stdin"], root, asked, good: [0, 1]) ?? []
        return GitNames(
            tracked: Self.names(tracked, after: prefix), ignored: Self.names(ignored, after: "./" + prefix))
    }

    private func ask(_ words: [String], _ root: String, _ input: [UInt8], good: [Int32]) -> [UInt8]? {
        guard let git else { return nil }
        let answer = BoundedChild.run(
            git, Self.options + words, environment: environment, in: root.isEmpty ? "/" : root, input: input)
        return answer.flatMap { good.contains($0.status) ? $0.output : nil }
    }

    /// The paths in one directory, which end in NUL, as names.
    private static func names(_ output: [UInt8], after prefix: String) -> Set<String> {
        let length = prefix.utf8.count
        return Set(output.split(separator: 0).map { String(decoding: $0.dropFirst(length), as: UTF8.self) })
    }

    /// A text as a pattern that matches it alone.
    private static func escaped(_ text: String) -> String {
        let bytes = text.utf8.flatMap { (byte) -> [UInt8] in special.contains(byte) ? [0x5C, byte] : [byte] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let special = Set("*?[]\\".utf8)
}
