import Daemon
import Glibc
import OrderedJSON
import Platform

/// Several changes of `config.json`, which are written at once or not at all.
struct ConfigurationDraft {
    private let file: ConfigurationFile
    /// The bytes before; `nil` if there was no file.
    private let original: [UInt8]?
    private var document: JSONDocument

    init(home: String) throws(CommandFailure) {
        file = ConfigurationFile(home: home)
        _ = try file.values()
        let bytes = try file.bytes()
        original = access(file.path, F_OK) == 0 ? bytes : nil
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw CommandFailure(.other, "\(file.path) is not valid JSON: \(error)")
        }
    }

    subscript(key: String) -> JSON? { document.value(at: [.key(key)]) }

    /// The configuration that a daemon would start with. Throws what a start would say.
    func checked() throws(CommandFailure) -> Configuration {
        try file.check(document.bytes)
        do throws(ConfigurationError) {
            return try ConfigurationReader(bytes: document.bytes, path: file.path).configuration
        } catch {
            throw CommandFailure(.other, "\(error)")
        }
    }

    /// Sets a key; `nil` removes it.
    mutating func set(_ key: String, _ value: JSON?) throws(CommandFailure) {
        do throws(JSONEditError) {
            if let value {
                try document.set(value, at: [.key(key)])
            } else if self[key] != nil {
                try document.remove(at: [.key(key)])
            }
        } catch {
            throw CommandFailure(.other, "\(file.path): \(error)")
        }
    }

    func write() throws(CommandFailure) {
        _ = try checked()
        try file.replace(document.bytes)
    }

    /// Puts back what was there when this value was made.
    func restore() throws(CommandFailure) {
        if let original { return try file.replace(original) }
        do throws(FileError) { try AtomicFile.remove(file.path) } catch { throw CommandFailure(.other, "\(error)") }
    }
}
