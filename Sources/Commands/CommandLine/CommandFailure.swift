/// The reason for which a command failed: one line for stderr, and the exit status.
package struct CommandFailure: Error {
    /// Source: the README's table of exit statuses.
    package enum Status: Int32 {
        case other = 1
        case usage = 2
        case noDaemon = 3
        case refused = 4
    }

    package let status: Status
    package let message: String

    package init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }

    /// - Parameter meant: The word that the person probably meant.
    static func usage(_ message: String, _ command: Command? = nil, meant: String? = nil) -> CommandFailure {
        let hint = meant.map { "; did you mean `\($0)`? See" } ?? "; see"
        return CommandFailure(.usage, "\(message)\(hint) `cdev \(command.map { $0.name + " " } ?? "")--help`")
    }
}
