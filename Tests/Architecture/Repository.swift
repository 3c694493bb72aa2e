import Foundation

/// The checkout that these tests were built from.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// Paths below a directory, from the root, sorted.
    static func files(in directory: String, ending: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + directory)
            .filter { $0.hasSuffix(ending) && !isDirectory(directory + "/" + $0) }
            .map { directory + "/" + $0 }.sorted()
    }

    static func lines(_ path: String) throws -> [String] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }
}

/// A directory that goes with the value.
final class ScratchDirectory {
    let path = NSTemporaryDirectory() + "cdev-architecture-\(UInt32.random(in: 0 ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

struct ProgramFailed: Error {
    let words: [String]
    let status: Int32
}

/// What a program prints.
func output(of words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let printed = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ProgramFailed(words: words, status: process.terminationStatus) }
    return String(decoding: printed, as: UTF8.self)
}
