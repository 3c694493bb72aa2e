import Foundation
import TestSupport

/// Runs the `openssl` command, which verifies our certificates independently.
enum OpenSSLCommand {
    struct Result {
        let status: Int32
        let output: String
    }

    static func run(_ words: String...) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}

extension PrivateHome {
    /// Writes a file and returns its path.
    func put(_ name: String, _ bytes: [UInt8]) throws -> String {
        try write(name, String(decoding: bytes, as: UTF8.self))
        return file(name)
    }
}
