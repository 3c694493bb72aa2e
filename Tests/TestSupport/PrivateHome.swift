import Foundation

/// A directory for one test, gone with this object. Its path is short: a socket's may have 107 bytes.
package final class PrivateHome: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/cdev-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A path inside.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package func write(_ name: String, _ text: String) throws {
        try text.write(toFile: file(name), atomically: false, encoding: .utf8)
    }

    package func read(_ name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }
}
