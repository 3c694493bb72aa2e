import Text

/// The settings about remotes in a repository's own `config`.
///
/// Git treats the name of an unknown remote as a path, and obeys the settings of a repository that it finds there.
struct GitSettings {
    private var remotes: [String: [String]] = [:]
    /// The remotes named by branches and by `pushDefault`.
    private var defaults: Set<String> = []
    /// True if git may run hooks that lie outside the repository, perhaps in the work tree.
    private(set) var hasOtherHooks = false

    /// True if the remote is configured with addresses, none of which is a path for which `isOurs` is true.
    func reaches(_ name: String, isOurs: (String) -> Bool) -> Bool {
        guard let addresses = remotes[name], !addresses.isEmpty else { return false }
        return addresses.allSatisfy { Self.isElsewhere($0, isOurs: isOurs) }
    }

    /// The same for every remote that git may choose if a command names none; `.` is the repository itself.
    func reachesDefaults(isOurs: (String) -> Bool) -> Bool {
        remotes.keys.allSatisfy { reaches($0, isOurs: isOurs) }
            && defaults.allSatisfy { $0 == "." || remotes[$0] != nil }
    }

    private static let schemes = ["git", "git+ssh", "http", "https", "ssh", "ssh+git"]

    /// True if an address is a network address, `host:path`, or a path that is not ours. False for `ext::…`, which runs
    /// a command.
    private static func isElsewhere(_ address: String, isOurs: (String) -> Bool) -> Bool {
        guard !address.holds("::"), address.utf8.first != UInt8(ascii: "-") else { return false }
        let colon = address.utf8.firstIndex(of: UInt8(ascii: ":"))
        let slash = address.utf8.firstIndex(of: UInt8(ascii: "/"))
        guard let colon, colon < slash ?? address.endIndex else { return !isOurs(address) }
        let front = address[..<colon]
        if address[colon...].utf8.starts(with: "://".utf8) { return schemes.contains { front.elementsEqual($0) } }
        return !front.isEmpty
            && front.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "@._-".utf8.contains($0) }
    }
}

// MARK: - Reading

extension GitSettings {
    /// Nil where a line is not understood, or where other files or rewritten addresses may apply (`include`,
    /// `insteadOf`).
    init?(_ text: String) {
        var section = ""
        var name: String?
        for line in text.pieces(at: "\n") {
            let line = Self.trimmed(line)
            guard let first = line.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
            // A backslash joins lines or escapes; readers differ on whether a carriage return is white space.
            guard !line.utf8.contains(UInt8(ascii: "\\")), !line.utf8.contains(0x0D) else { return nil }
            if first == UInt8(ascii: "[") {
                guard let header = Self.header(line) else { return nil }
                (section, name) = header
                if section == "include" || section == "includeif" || section == "url" { return nil }
            } else {
                guard take(line, section, name) else { return nil }
            }
        }
    }

    /// `[section]` or `[section "name"]` alone on its line.
    private static func header(_ line: Substring) -> (String, String?)? {
        guard line.utf8.last == UInt8(ascii: "]") else { return nil }
        let inner = line.dropFirst().dropLast()
        let section = inner.utf8.prefix { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        let rest = trimmed(inner[section.endIndex...])
        guard !section.isEmpty else { return nil }
        let lowered = String(Substring(section)).lowercased()
        if rest.isEmpty { return (lowered, nil) }
        let name = rest.dropFirst().dropLast()
        guard rest.utf8.count >= 2, rest.utf8.first == UInt8(ascii: "\""), rest.utf8.last == UInt8(ascii: "\""),
            !name.utf8.contains(UInt8(ascii: "\""))
        else { return nil }
        return (lowered, String(name))
    }

    private mutating func take(_ line: Substring, _ section: String, _ name: String?) -> Bool {
        let lowered = line.lowercased()
        if section == "core" && lowered.hasPrefix("hookspath")
            || section == "extensions" && lowered.hasPrefix("worktreeconfig")
        {
            hasOtherHooks = true
        }
        guard section == "remote" || section == "branch" else { return true }
        let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) ?? line.endIndex
        let key = Self.trimmed(line[..<sign]).lowercased()
        let isAddress = section == "remote" && name != nil && (key == "url" || key == "pushurl")
        let isDefault = section == "branch" ? key == "remote" || key == "pushremote" : key == "pushdefault"
        if section == "remote", key == "vcs" || key == "uploadpack" || key == "receivepack" { return false }
        guard isAddress || isDefault else { return true }
        guard sign < line.endIndex else { return false }
        let value = Self.trimmed(line[line.utf8.index(after: sign)...])
        guard !value.isEmpty, !value.utf8.contains(where: { "\"#; \t".utf8.contains($0) }) else { return false }
        if isAddress, let name { remotes[name, default: []].append(String(value)) }
        if isDefault { defaults.insert(String(value)) }
        return true
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex)]
    }
}
