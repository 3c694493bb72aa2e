import Glibc
import Host
package import Platform

/// The Claude Code that `cdev install` found: the daemon may be started where no PATH leads to it.
package enum FoundClaude {
    private static func file(home: String) -> String { home + "/claude.path" }

    /// Writes down the program of a PATH. Returns its path; `nil` where there is none.
    package static func note(home: String, directories: String) throws(FileError) -> String? {
        guard let path = ProgramPath.find("claude", in: directories) else { return nil }
        try AtomicFile.replace(file(home: home), with: Array((path + "\n").utf8))
        return path
    }

    /// True if another program would be written down.
    package static func changes(home: String, directories: String) -> Bool {
        ProgramPath.find("claude", in: directories).map { $0 != path(home: home) } ?? false
    }

    /// The path that was written down, while a program is there.
    package static func path(home: String) -> String? {
        guard let bytes = FileBytes.read(file(home: home), limit: 4096),
            let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first
        else { return nil }
        return access(String(line), X_OK) == 0 ? String(line) : nil
    }
}
