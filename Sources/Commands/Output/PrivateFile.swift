import Glibc
import Platform

/// A text in a file that only this user can read, in a directory of its own, for another program.
struct PrivateFile {
    private let directory: String
    private let name: String

    var path: String { directory + "/" + name }

    /// `nil` if there could be no such file.
    init?(_ text: String, named name: String, _ environment: [String: String]) {
        let base = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var place = Array((base + "/cdev-XXXXXX").utf8CString)  // `mkdtemp` writes the directory's name into it.
        guard mkdtemp(&place) != nil else { return nil }
        directory = String(decoding: place.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.name = name
        guard (try? AtomicFile.replace(path, with: Array(text.utf8))) != nil else {
            remove()
            return nil
        }
    }

    func remove() {
        unlink(path)
        // An editor may have left a backup beside the file, which is removed too.
        if rmdir(directory) != 0 {
            for backup in [name + "~", "." + name + ".swp"] { unlink(directory + "/" + backup) }
            rmdir(directory)
        }
    }

    /// Returns the result of `body`, which gets the file's path; `nil` if there could be no file.
    static func with(
        _ text: String, named name: String, _ environment: [String: String], _ body: (String) -> Int32?
    ) -> Int32? {
        guard let file = PrivateFile(text, named: name, environment) else { return nil }
        defer { file.remove() }
        return body(file.path)
    }
}
