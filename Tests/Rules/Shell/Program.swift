import Foundation

/// A program whose behaviour a test compares with.
struct Program {
    let path: String

    /// Throws where the program is not installed, so that the test fails instead of being skipped.
    init(_ name: String) throws {
        for directory in ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"] {
            let path = directory + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) {
                self.path = path
                return
            }
        }
        throw Missing(description: "\(name) is not installed; these tests compare with it: apt-get install \(name)")
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs the program. Input and output are files, so that no pipe can fill up.
    func run(_ arguments: [String], input: String = "", environment: [String: String]? = nil) throws -> (
        status: Int32, output: String, errors: String
    ) {
        let directory = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let files = ["in", "out", "err"].map { directory.appending(path: $0) }
        try Data(input.utf8).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
        )
    }
}
