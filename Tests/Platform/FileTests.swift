import Glibc
import Platform
import TestSupport
import Testing

@Suite("Files")
struct FileTests {
    private let home: PrivateHome
    private var directory: String { home.path }

    init() throws {
        home = try PrivateHome()
    }

    private func bytes(_ name: String) -> String? {
        FileBytes.read(directory + "/" + name, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
    }

    private func names() -> [String] {
        guard let opened = opendir(directory) else { return [] }
        defer { closedir(opened) }
        var names: [String] = []
        while let entry = readdir(opened) {
            names.append(withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
        }
        return names.filter { !$0.allSatisfy { $0 == "." } }.sorted()
    }

    @Test("a file is replaced whole, with its attributes, and nothing stays beside it")
    func replace() throws {
        try AtomicFile.replace(directory + "/a", with: Array("one".utf8))
        try AtomicFile.replace(directory + "/a", with: Array("two".utf8), .ofScript)
        #expect(bytes("a") == "two")
        #expect(names() == ["a"])
        #expect(try FileBytes.file(directory + "/a", limit: 10)?.attributes.mode == 0o755)
    }

    @Test("what a crash left is replaced, and a link that lies there is not followed")
    func leftovers() throws {
        try AtomicFile.replace(directory + "/other", with: Array("kept".utf8))
        #expect(symlink(directory + "/other", directory + "/a.new") == 0)
        try AtomicFile.replace(directory + "/a", with: Array("one".utf8))
        #expect(bytes("other") == "kept")
        #expect(bytes("a") == "one")
        #expect(names() == ["a", "other"])
    }

    @Test("where it cannot be put in place, the file is as it was and the staged one is gone")
    func refused() throws {
        #expect(mkdir(directory + "/a", 0o700) == 0)
        #expect(throws: FileError.self) { try AtomicFile.replace(directory + "/a", with: []) }
        #expect(names() == ["a"])
        let missing = #expect(throws: FileError.self) { try AtomicFile.replace(directory + "/no/a", with: []) }
        #expect(
            missing == .failed(operation: "write", path: directory + "/no/a.new", reason: SystemError(code: ENOENT)))
    }

    @Test("nothing is removed where nothing is")
    func remove() throws {
        try AtomicFile.replace(directory + "/a", with: [1])
        try AtomicFile.remove(directory + "/a")
        try AtomicFile.remove(directory + "/a")
        #expect(names().isEmpty)
    }

    @Test("a file is read up to its limit, and one that is none is said to be")
    func read() throws {
        try AtomicFile.replace(directory + "/a", with: Array(repeating: 7, count: 100))
        #expect(FileBytes.read(directory + "/a", limit: 100)?.count == 100)
        #expect(FileBytes.read(directory + "/a", limit: 99) == nil)
        #expect(throws: FileError.tooLarge(path: directory + "/a", limit: 99)) {
            try FileBytes.file(directory + "/a", limit: 99)
        }
        let none = try FileBytes.file(directory + "/none", limit: 9)
        #expect(none == nil)
        #expect(mkfifo(directory + "/pipe", 0o600) == 0)
        #expect(throws: FileError.notRegular(path: directory + "/pipe")) {
            try FileBytes.file(directory + "/pipe", limit: 9)
        }
    }

    @Test("a file of no known size is read to its end", arguments: [1 << 20, 10])
    func grows(limit: Int) throws {
        // The kernel reports a size of 0 bytes for files in /proc.
        let found = FileBytes.read("/proc/self/status", limit: limit)
        #expect((found != nil) == (limit > 10))
        #expect(found.map { $0.count > 100 } != false)
    }
}
