import Daemon
import Glibc
import OrderedJSON
import Platform

/// `config.json`: read, checked as a start checks it, and changed in one place.
struct ConfigurationFile {
    let home: String

    /// Bytes, as the daemon reads at most.
    private static let longest = 1 << 20

    var path: String { home + "/config.json" }

    /// The file's bytes; an empty object if there is no file.
    func bytes() throws(CommandFailure) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(FileError) { bytes = try FileBytes.ifPresent(path, limit: Self.longest) } catch {
            throw CommandFailure(.other, "\(error); it is left as it is: mend it, then try again")
        }
        guard let bytes, !ConfigurationReader.isBlank(bytes) else { return Array("{}\n".utf8) }
        return bytes
    }

    func values() throws(CommandFailure) -> JSONObject {
        guard let object = try document(bytes()).value(at: [])?.objectValue else {
            throw CommandFailure(.other, "\(path) does not hold an object; mend it with `cdev config edit`")
        }
        return object
    }

    /// Throws if a daemon could not start with the file, or with `text` in its place.
    /// - Returns: The warnings of a start.
    @discardableResult func check(_ text: [UInt8]? = nil) throws(CommandFailure) -> [String] {
        let bytes = if let text { text } else { try self.bytes() }
        do throws(StartError) {
            return try RunningDaemon.check(configuration: bytes, ServeOptions(home: home, socket: home + "/cdev.sock"))
        } catch {
            throw CommandFailure(.other, "\(error)")
        }
    }

    /// The text of the file with one value changed, or left out if `value` is `nil`; all else stays as it is.
    func changed(_ key: String, _ value: JSON?) throws(CommandFailure) -> [UInt8] {
        var document = try document(bytes())
        let steps = key.split(separator: ".").map { JSONPathStep.key(String($0)) }
        do throws(JSONEditError) {
            if let value {
                // A member of `notify` that is new may have no parent yet.
                for length in steps.indices.dropFirst() where document.value(at: Array(steps.prefix(length))) == nil {
                    try document.set([:], at: Array(steps.prefix(length)))
                }
                try document.set(value, at: steps)
            } else if document.value(at: steps) != nil {
                try document.remove(at: steps)
            }
        } catch {
            throw CommandFailure(.other, "\(path): \(error)")
        }
        return document.bytes
    }

    func set(_ key: String, _ value: JSON?) throws(CommandFailure) {
        let text = try changed(key, value)
        try check(text)
        try replace(text)
    }

    func replace(_ text: [UInt8]) throws(CommandFailure) {
        mkdir(home, 0o700)
        do throws(FileError) {
            try AtomicFile.replace(path, with: text)
        } catch {
            throw CommandFailure(.other, "\(error)")
        }
    }

    private func document(_ bytes: [UInt8]) throws(CommandFailure) -> JSONDocument {
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: bytes)
        } catch {
            throw CommandFailure(.other, "\(path) is not valid JSON: \(error); mend it with `cdev config edit`")
        }
    }
}
