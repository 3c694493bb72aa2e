import Glibc
import Host
import Testing

/// A directory of the test's own, gone when the test is.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/cdev-host-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer {
            $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = try #require(made)
    }

    deinit {
        _ = shell("chmod -R u+rwx '\(path)' 2>/dev/null; rm -rf '\(path)'")
    }

    func callAsFunction(_ name: String) -> String {
        path + "/" + name
    }

    func write(_ text: String, to name: String) throws {
        let file = try #require(fopen(self(name), "w"))
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    func read(_ name: String) -> String? {
        readText(self(name))
    }

    /// Everything below, with kinds, modes, sizes and contents.
    func snapshot() -> String {
        shell(
            "cd '\(path)' && find . -exec stat -c '%n %F %a %u %g %s' {} + | sort && find . -type f -exec cksum {} + | sort"
        )
    }
}

func readText(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    return readAll(file)
}

/// What a command prints.
func shell(_ command: String) -> String {
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    return readAll(pipe)
}

private func readAll(_ file: UnsafeMutablePointer<FILE>) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

func mode(_ path: String) -> String {
    String(shell("stat -c '%a %u %g' '\(path)'").dropLast())
}

/// A script that says what was written into it.
let templates = InstallScripts.Templates(
    permission:
        "#!/bin/sh\nrelay=cdev-hook\nsocket=\non_failure=continue\nprintf '%s|%s|%s' \"$relay\" \"$socket\" \"$on_failure\"\n",
    forward: "#!/bin/sh\n# relay=x is no value\nrelay=cdev-hook\nsocket=\nprintf '%s|%s' \"$relay\" \"$socket\"\n")

extension SettingsInstaller {
    @discardableResult
    func install(
        relay: String = "/bin/true", onFailure: InstallOnFailure? = nil, dryRun: Bool = false
    ) throws(InstallError) -> Report {
        try install(
            templates: templates, relay: relay, socket: home + "/cdev.sock", onFailure: onFailure, dryRun: dryRun)
    }

    func status(
        relay: String = "/bin/true", managed: String = "/nonexistent", projects: [String] = []
    ) throws(InstallError) -> SettingsStatus {
        try status(
            templates: templates, relay: relay, socket: home + "/cdev.sock", managed: managed, projects: projects)
    }
}
