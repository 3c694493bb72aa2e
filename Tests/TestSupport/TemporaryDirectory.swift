import Glibc
import Platform

/// A directory of the test's own, gone when the test is.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/cdev-host-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer {
            $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { throw SystemError.last }
        path = made
    }

    deinit {
        _ = shell("chmod -R u+rwx '\(path)' 2>/dev/null; rm -rf '\(path)'")
    }

    package func callAsFunction(_ name: String) -> String {
        path + "/" + name
    }

    package func write(_ text: String, to name: String) throws {
        guard let file = fopen(self(name), "w") else { throw SystemError.last }
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SystemError.last }
    }

    package func read(_ name: String) -> String? {
        readText(self(name))
    }

    /// Everything below, with kinds, modes, sizes and contents.
    package func snapshot() -> String {
        shell(
            "cd '\(path)' && find . -exec stat -c '%n %F %a %u %g %s' {} + | sort && find . -type f -exec cksum {} + | sort"
        )
    }
}

package func readText(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    return readAll(file)
}

/// What a command prints.
package func shell(_ command: String) -> String {
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    return readAll(pipe)
}

/// The same for a command that waits: the threads that tests share go on.
package func shellAside(_ command: String) async -> String {
    await WorkLane(threads: 1, mostWeight: 1).run(weight: 1) { shell(command) } ?? ""
}

private func readAll(_ file: UnsafeMutablePointer<FILE>) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

package func mode(_ path: String) -> String {
    String(shell("stat -c '%a %u %g' '\(path)'").dropLast())
}
