import Platform
import Services

/// Keeps the messages, without their fields.
final class RecordingLog: Log {
    private let kept = Locked<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    private func keep(_ message: String) { kept.withLock { $0.append(message) } }

    func debug(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) { keep(message) }
    func info(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) { keep(message) }
    func warning(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) { keep(message) }
    func error(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) { keep(message) }
}
