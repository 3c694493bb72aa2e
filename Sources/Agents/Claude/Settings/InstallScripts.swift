import Core
import Rules

/// The two scripts that Claude Code runs, with this machine's paths filled in.
package struct InstallScripts: Sendable, Hashable {
    /// The scripts' texts with lines that begin with `relay=` and `socket=`, and in permission.sh `on_failure=`.
    package struct Templates: Sendable {
        let texts: [InstallScript: String]

        package init(permission: String, forward: String) {
            texts = [.permission: permission, .forward: forward]
        }
    }

    /// The finished texts.
    let texts: [InstallScript: String]

    /// - Parameters:
    ///   - relay: Absolute path of `cdev-hook`.
    ///   - socket: Absolute path of the daemon's socket.
    package init(
        _ templates: Templates, relay: String, socket: String, onFailure: InstallOnFailure
    ) throws(InstallError) {
        for path in [relay, socket]
        where !path.hasPrefix("/") || path.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            throw .unusablePath(path, reason: "a hook needs an absolute path without control characters")
        }
        let values = [("relay=", relay), ("socket=", socket), ("on_failure=", onFailure.rawValue)]
        var texts: [InstallScript: String] = [:]
        for (script, template) in templates.texts {
            var lines = template.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for (name, value) in values {
                if let place = lines.firstIndex(where: { $0.hasPrefix(name) }) {
                    lines[place] = name + shellQuoted(value)
                } else if script == .permission || name != "on_failure=" {
                    throw .badTemplate(script: script.rawValue, missing: name)
                }
            }
            texts[script] = lines.joined(separator: "\n")
        }
        self.texts = texts
    }

    package static func directory(in home: String) -> String {
        home + "/hooks"
    }

    /// Writes the scripts that are missing or outdated, executable for all.
    /// - Returns: The paths written, sorted.
    func write(in home: String) throws(InstallError) -> [String] {
        let directory = Self.directory(in: home)
        _ = try InstallFiles.createDirectory(directory)
        let outdated = try outdated(in: home)
        for path in outdated {
            guard let script = InstallScript(rawValue: String(path.dropFirst(directory.count + 1))) else { continue }
            try InstallFiles.replace(path, with: Array((texts[script] ?? "").utf8), .ofScript)
        }
        return outdated
    }

    /// The paths of scripts that are missing, have another text, or are not executable; sorted.
    func outdated(in home: String) throws(InstallError) -> [String] {
        var paths: [String] = []
        for script in InstallScript.allCases {
            let path = Self.directory(in: home) + "/" + script.rawValue
            let file = try InstallFiles.read(path)
            let isCurrent = file.map { $0.bytes == Array((texts[script] ?? "").utf8) && $0.attributes.mode == 0o755 }
            if isCurrent != true { paths.append(path) }
        }
        return paths.sorted()
    }
}
