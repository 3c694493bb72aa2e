import Text

/// The settings about remotes in a repository's own `config`.
///
/// Git treats the name of an unknown remote as a path, and obeys the settings of a repository that it finds there.
struct GitSettings {
    private var remotes: [String: Addresses] = [:]
    /// The remotes named by branches and by `pushDefault`.
    private var defaults: Set<String> = []
    /// The addresses that git writes in another way (`url.BASE.insteadOf`).
    private var rewrites: [Rewrite] = []

    private struct Addresses {
        var urls: [String] = []
        var pushURLs: [String] = []
        var all: [String] { urls + pushURLs }
    }

    private struct Rewrite {
        let front: String
        let base: String
        let isOfPush: Bool
    }

    /// True if a push may overwrite or delete branches that no word of the command names (`remote.NAME.push`, `mirror`).
    private(set) var hasOwnRefspecs = false
    /// True if a push that names no branch takes all that the remote has, too (`push.default`).
    private(set) var pushesMatching = false
    /// True if the repository's own settings say what such a push takes, whatever the user's say.
    private var choosesPushed = false
    /// True if a push may go to the remotes of submodules too, wherever these are.
    private(set) var pushesSubmodules = false
    /// True if git may run hooks that lie outside the repository, perhaps in the work tree.
    private(set) var hasOtherHooks = false

    /// The addresses to which git goes for the remote, as git writes them, without passwords. Nil where there are none, or
    /// one is a path for which `isOurs` is true.
    func addresses(of name: String, isPush: Bool, isOurs: (String) -> Bool) -> [String]? {
        guard let remote = remotes[name], !remote.urls.isEmpty else { return nil }
        let written = [true, false].flatMap { isPush in remote.all.map { rewritten($0, isPush: isPush) } }
        let all = remote.all + written.compactMap(\.self)
        guard !written.contains(nil), all.allSatisfy({ Self.isElsewhere($0, isOurs: isOurs) }) else { return nil }
        // Only an address that no `pushurl` replaces is rewritten by `pushInsteadOf`.
        let list = isPush && !remote.pushURLs.isEmpty ? remote.pushURLs : remote.urls
        return list.compactMap { rewritten($0, isPush: isPush && remote.pushURLs.isEmpty) }.map(Self.withoutUser)
    }

    /// The remote that git chooses if a command names none: nil where that depends on the branch, or where it may choose one
    /// that is not configured. `.` is the repository itself.
    var onlyDefault: String? {
        var names = defaults.subtracting(["."])
        // Git takes this one where no branch says another one.
        names.insert(remotes.count == 1 ? remotes.keys.first ?? "" : "origin")
        guard names.count == 1, let name = names.first, remotes[name] != nil else { return nil }
        return name
    }

    /// The address as git writes it by the longest `insteadOf` that it begins with. Nil where several are as long: which one
    /// git takes depends on the order in which it reads files.
    private func rewritten(_ address: String, isPush: Bool) -> String? {
        let fitting = rewrites.filter { address.utf8.starts(with: $0.front.utf8) }
        let ofPush = fitting.filter { isPush && $0.isOfPush }
        let candidates = ofPush.isEmpty ? fitting.filter { !$0.isOfPush } : ofPush
        guard let longest = candidates.max(by: { $0.front.utf8.count < $1.front.utf8.count }) else { return address }
        let isCertain = candidates.allSatisfy {
            $0.front.utf8.count < longest.front.utf8.count || $0.base.utf8.elementsEqual(longest.base.utf8)
        }
        guard isCertain else { return nil }
        return longest.base + String(decoding: address.utf8.dropFirst(longest.front.utf8.count), as: UTF8.self)
    }

    /// `https://host/path` of `https://user:password@host/path`: a pattern is shown to everybody who may look.
    private static func withoutUser(_ address: String) -> String {
        // The user of any other address is no password: `ssh://git@host/path`.
        guard address.hasPrefix("http"), let scheme = address.firstPlace(of: "://") else { return address }
        let rest = address[scheme.upperBound...]
        let host = rest.utf8.prefix { $0 != UInt8(ascii: "/") }
        guard let at = host.lastIndex(of: UInt8(ascii: "@")) else { return address }
        return String(address[..<scheme.upperBound]) + String(rest[rest.utf8.index(after: at)...])
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
                // Git skips a mark in front of the first line: a section begins where none is seen.
                guard !section.isEmpty, ShellCharacters.isAlphanumeric(first), take(line, section, name) else {
                    return nil
                }
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
        // `fetch.all` has a fetch without a name go to every remote, and a group one with its name to other ones.
        if section == "remotes" || section == "fetch" && lowered.hasPrefix("all") { return false }
        let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) ?? line.endIndex
        let key = Self.trimmed(line[..<sign]).lowercased()
        noteReach(section, key, line.utf8.dropFirst(line.utf8.distance(from: line.startIndex, to: sign) + 1))
        guard section == "remote" || section == "branch" else { return true }
        let isAddress = section == "remote" && name != nil && (key == "url" || key == "pushurl")
        let isDefault = section == "branch" ? key == "remote" || key == "pushremote" : key == "pushdefault"
        if section == "remote", key == "vcs" || key == "uploadpack" || key == "receivepack" { return false }
        guard isAddress || isDefault else { return true }
        guard sign < line.endIndex else { return false }
        let value = Self.trimmed(line[line.utf8.index(after: sign)...])
        guard !value.isEmpty, !value.utf8.contains(where: { "\"#; \t".utf8.contains($0) }) else { return false }
        if isAddress, let name { add(String(value), to: name, isPush: key == "pushurl") }
        if isDefault { defaults.insert(String(value)) }
        return true
    }

    /// Notes what git does besides what the words of a command say.
    private mutating func noteReach(
        _ section: String, _ key: String, _ value: some Sequence<UInt8>, isUsers: Bool = false
    ) {
        let word = String(decoding: value.filter { !" \t\"".utf8.contains($0) }, as: UTF8.self).lowercased()
        let isOff = ["0", "false", "no", "off"].contains(word)
        switch (section, key) {
        case ("remote", "push"), ("remote", "mirror"): hasOwnRefspecs = true
        case ("push", "default"):
            if !isUsers || !choosesPushed {
                pushesMatching = isUsers && pushesMatching || !Self.pushesOne.contains(word)
            }
            choosesPushed = choosesPushed || !isUsers
        case ("push", "recursesubmodules"), ("submodule", "recurse"): pushesSubmodules = pushesSubmodules || !isOff
        default: break
        }
    }

    /// Values of `push.default` by which a push takes at most the branch that is checked out.
    private static let pushesOne: Set<String> = ["current", "nothing", "simple", "tracking", "upstream"]

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex)]
    }

    private mutating func add(_ address: String, to name: String, isPush: Bool) {
        if isPush {
            remotes[name, default: Addresses()].pushURLs.append(address)
        } else {
            remotes[name, default: Addresses()].urls.append(address)
        }
    }

    // MARK: - The user's own

    /// Adds what the user's own settings say about remotes, which git reads first. Returns false where that cannot be told.
    mutating func addUsers(_ text: String, isIncluded: Bool = false) -> Bool {
        for entry in GitEntries(text).list {
            if entry.section == "remotes" { return false }
            noteReach(entry.section, entry.key, entry.value.utf8, isUsers: true)
            switch (entry.section, entry.key) {
            case ("url", "insteadof"), ("url", "pushinsteadof"):
                // An empty value ends the list of those before in newer versions only.
                guard !entry.value.isEmpty, !isIncluded else { return false }
                rewrites.append(
                    Rewrite(front: entry.value, base: entry.name, isOfPush: entry.key == "pushinsteadof"))
            case ("remote", "pushdefault"): defaults.insert(entry.value)
            case ("core", "hookspath"): hasOtherHooks = true
            case ("remote", "url"), ("remote", "pushurl"), ("remote", "receivepack"), ("remote", "uploadpack"),
                ("remote", "vcs"), ("branch", "remote"), ("branch", "pushremote"), ("fetch", "all"):
                return false
            default: break
            }
        }
        return true
    }
}
