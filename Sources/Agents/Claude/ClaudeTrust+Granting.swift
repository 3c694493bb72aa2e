import Glibc
import OrderedJSON
import Platform

/// Writes Claude Code's own record. Claude Code, each process of which writes it too, takes a lock beside it, reads the
/// record anew and replaces it as a whole (measured with 2.1.329); so does this.
extension ClaudeTrust {
    /// Says what could not be done, for people.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Notes that a person trusts a directory. Waits up to `patience` seconds for the lock.
    /// - Parameter environment: that of Claude Code.
    package static func trust(
        _ directory: String, environment: [String: String], patience: Double = 10
    ) throws(Failure) {
        guard let named = path(environment) else { throw Failure(description: "no HOME is set") }
        let path = (try? InstallFiles.resolve(named)) ?? named
        let lock = path + ".lock"
        try take(lock, patience)
        defer { rmdir(lock) }
        do {
            let file = try FileBytes.file(path, limit: limit)
            let text = try changed(file?.bytes ?? Array("{}\n".utf8), directory)
            try AtomicFile.replace(path, with: text, file?.attributes ?? .ofPrivateFile)
        } catch {
            throw Failure(description: "\(path) is as it was: \(error)")
        }
    }

    private static func take(_ lock: String, _ patience: Double) throws(Failure) {
        let deadline = SystemTime.awake + Int64(patience * 1000)
        while mkdir(lock, 0o700) != 0 {
            guard errno == EEXIST else {
                throw Failure(description: "\(lock) could not be made: \(SystemError.last)")
            }
            guard SystemTime.awake < deadline else {
                throw Failure(
                    description: "another process has the lock \(lock); if no Claude Code runs, remove it with `rmdir`")
            }
            usleep(20_000)
        }
    }

    private static func changed(_ text: [UInt8], _ directory: String) throws -> [UInt8] {
        var document = try JSONDocument(parsing: text)
        let place: JSONPath = [.key("projects"), .key(directory), .key("hasTrustDialogAccepted")]
        for length in 1...2 where document.value(at: Array(place.prefix(length)))?.objectValue == nil {
            try document.set([:], at: Array(place.prefix(length)))
        }
        try document.set(true, at: place)
        return document.bytes
    }
}
