/// The log. Lines hold ids, tool names and request paths; never a tool's input, a prompt, a token or a message.
package protocol Log: Sendable {
    func debug(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>)
    func info(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>)
    func warning(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>)
    func error(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>)
}

extension Log {
    package func info(_ message: String) { info(message, [:]) }
    package func warning(_ message: String) { warning(message, [:]) }
    package func error(_ message: String) { error(message, [:]) }
}
