import OrderedJSON
import Platform
package import Rules

/// Reads the rows that a person added to the table of known commands, from `commands.json`.
package enum UserCommands {
    /// Returns the path of `commands.json`.
    package static func path(home: String) -> String { home + "/commands.json" }

    /// Returns the shipped table with the person's rows, if there are any. A file with an error is refused as a whole:
    /// without some of its rows, calls would be held that the person believes to be allowed.
    package static func table(home: String) throws(UserCommandsError) -> CommandTable {
        let path = path(home: home)
        do {
            guard let bytes = try FileBytes.ifPresent(path, limit: 4 << 20), !bytes.isEmpty else { return .shipped }
            return CommandTable(adding: try CommandTable.rows(from: try JSON(parsing: bytes)))
        } catch let error as FileError {
            throw UserCommandsError(path: path, reason: error.reason)
        } catch {
            throw UserCommandsError(path: path, reason: String(describing: error))
        }
    }
}

package struct UserCommandsError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String {
        "\(path) cannot be used: \(reason). Mend it, or move it away to use only the shipped table of commands."
    }
}
