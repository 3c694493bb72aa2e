import OrderedJSON
import Platform
package import Rules

/// The rows a person added to the table of known commands, in `commands.json`.
package enum UserCommands {
    /// Where they are looked for.
    package static func path(home: String) -> String { home + "/commands.json" }

    /// The shipped table with the person's rows, where there are any. A file that cannot be read as a whole is refused
    /// as a whole: a table half read would hold what a person believes allowed.
    package static func table(home: String) throws(UserCommandsError) -> CommandTable {
        let path = path(home: home)
        guard let bytes = FileBytes.read(path, limit: 4 << 20), !bytes.isEmpty else { return .shipped }
        do {
            return CommandTable(adding: try CommandTable.rows(from: try JSON(parsing: bytes)))
        } catch {
            throw UserCommandsError(path: path, reason: String(describing: error))
        }
    }
}

package struct UserCommandsError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String {
        "\(path) is not used: \(reason). Until it is mended, only the shipped table of commands holds."
    }
}
