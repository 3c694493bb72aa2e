import OrderedJSON
import Platform

/// Tells whether a person trusted a directory in Claude Code, by its own record. In a session without a terminal it asks nobody.
package enum ClaudeTrust {
    /// False where the record says nothing, or cannot be read.
    /// - Parameter environment: that of Claude Code.
    package static func isTrusted(_ directory: String, environment: [String: String]) -> Bool {
        guard let path = path(environment), let bytes = FileBytes.read(path, limit: limit),
            let record = try? JSON(parsing: bytes)
        else { return false }
        return record["projects"]?[directory]?["hasTrustDialogAccepted"] == true
    }

    static func path(_ environment: [String: String]) -> String? {
        if let directory = environment["CLAUDE_CONFIG_DIR"], !directory.isEmpty { return directory + "/.claude.json" }
        return environment["HOME"].map { $0 + "/.claude.json" }
    }

    /// Bytes; it has some thousand for each project.
    static let limit = 32 << 20
}
