import Text

/// Reads cargo's settings and manifests.
extension ProjectTasks {
    /// Takes each alias under its name, and what cargo starts whatever it does: wrappers, linkers, runners.
    mutating func takeCargoSettings(_ text: String) {
        takeSections(text, in: "cargo ")
        var rest = ""
        var isOfAliases = false
        for line in text.pieces(at: "\n") {
            if line.utf8.first == UInt8(ascii: "[") { isOfAliases = line.utf8.dropFirst().starts(with: "alias".utf8) }
            if line.utf8.starts(with: "alias.".utf8) {
                takeSections(String(line.utf8.dropFirst(6)) ?? "", in: "cargo ")
            } else if !isOfAliases {
                rest += line + "\n"
            }
        }
        add(TaskNames.programs("cargo"), rest)
    }

    /// Takes what cargo runs when it builds a package: its build script, with what lies beside it in a directory of its own,
    /// and all of a package of procedural macros. `build.rs` is known by its name.
    mutating func takeCrate(_ text: String, in directory: String) {
        var header = ""
        var found = ""
        for line in text.pieces(at: "\n") {
            if line.utf8.first == UInt8(ascii: "[") {
                let words = line.utf8.split { $0 <= 0x20 || "[]".utf8.contains($0) }
                header = words.first.map { String(Substring($0)) } ?? ""
            }
            guard let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = line[..<sign].utf8.split { $0 <= 0x20 }.first.map { String(Substring($0)) } ?? ""
            let value = line.utf8[sign...].dropFirst()
            if header == "package" && key == "build" || key == "package.build" {
                found += Self.buildScript(value)
            } else if key.utf8.starts(with: "proc".utf8), Substring(value).holds("true") {
                found += "sh " + String(decoding: TaskNames.last(of: directory), as: UTF8.self) + "/src/*.rs\n"
            }
        }
        if !found.isEmpty { add(TaskNames.programs("cargo"), found) }
    }

    private static func buildScript(_ value: Substring.UTF8View) -> String {
        let path = String(Substring(value.split { $0 <= 0x20 || "'\"".utf8.contains($0) }.first ?? value))
        let parts = path.pieces(at: "/").map(String.init).filter { $0 != "." && !$0.isEmpty }
        guard parts.count > 1, parts[parts.count - 2] != "src" else { return "sh " + path + "\n" }
        return "sh " + parts.dropLast().joined(separator: "/") + "/*.rs\n"
    }
}
