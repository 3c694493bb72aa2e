import OrderedJSON
import Text

/// Rules for whole tools and for hosts.
enum ToolNames {
    private static let whole: Set<String> = ["Agent", "Task", "WebSearch"]

    /// The pattern of a rule for the whole tool; nil for tools that are unknown or never settled by a rule.
    static func pattern(tool: String) -> Pattern? {
        isWholeTool(tool) ? Pattern(.tool, tool: tool) : nil
    }

    static func isWholeTool(_ tool: String) -> Bool {
        whole.contains(tool) || isServerTool(tool)
    }

    /// True for the two names of the tool that starts agents: Claude Code renamed `Task` to `Agent`, and reports some calls
    /// under the older name.
    static func areOne(_ tool: String, _ other: String) -> Bool {
        starting.contains(tool) && starting.contains(other) || PathText.same(tool, other)
    }

    private static let starting: Set<String> = ["Agent", "Task"]

    /// `mcp__server__tool`.
    private static func isServerTool(_ tool: String) -> Bool {
        guard tool.utf8.starts(with: "mcp__".utf8),
            tool.utf8.allSatisfy({ ShellCharacters.isAlphanumeric($0) || "_-.".utf8.contains($0) })
        else { return false }
        let rest = Array(tool.utf8.dropFirst(5))
        guard rest.count >= 4 else { return false }
        return (1...(rest.count - 3)).contains { rest[$0] == UInt8(ascii: "_") && rest[$0 + 1] == UInt8(ascii: "_") }
    }
}

/// Rules for `WebFetch`.
enum FetchRules {
    static func pattern(input: JSON) -> Pattern? {
        guard let object = input.objectValue, object.keys.allSatisfy({ $0 == "url" || $0 == "prompt" }),
            let url = object["url"]?.stringValue, let host = host(of: url)
        else { return nil }
        return Pattern(.domain, tool: "WebFetch", subject: host)
    }

    /// The host in lower case; nil unless the address is plain http or https without a user and with the default port.
    ///
    /// Addresses that URL parsers read differently are excluded: those with a backslash, white space or an escape in
    /// the host.
    static func host(of url: String) -> String? {
        guard url.utf8.count <= longest, let address = WebAddress(url), address.isOfWeb,
            address.authority.port.map({ $0 == (address.isSecure ? "443" : "80") }) ?? true
        else { return nil }
        let host = address.authority.host.lowercased()
        return !address.authority.isBracketed && isHost(host.utf8) ? host : nil
    }

    /// The patterns that deny rules for a host have, also where no allow rule understands the address: a port, a user, a
    /// dot behind the host or an unknown member of the input do not make it another host.
    static func deniedHosts(input: JSON) -> [Pattern] {
        guard let url = input["url"]?.stringValue else { return [] }
        let hosts = [LooseHost.name(likelyHost(of: url)), host(of: url)].compactMap { $0 }
        return hosts.map { Pattern(.domain, tool: "WebFetch", subject: $0) }
    }

    /// True if nobody knows here which host a parser finds in the address.
    static func mayBeAnyHost(input: JSON) -> Bool {
        input["url"]?.stringValue.map { LooseHost.isUnknown(likelyHost(of: $0)) } ?? false
    }

    /// True for a host with letters beyond ASCII, which are asked for under a name in Punycode (RFC 3492): nothing here
    /// says under which.
    static func hasForeignLetters(input: JSON) -> Bool {
        input["url"]?.stringValue.map { LooseHost.hasForeignLetters(likelyHost(of: $0)) } ?? false
    }

    /// The host as URL parsers read it that forgive most: they leave out white space, take `\` for `/`, and need no slash.
    private static func likelyHost(of url: String) -> [UInt8] {
        let bytes = url.utf8.filter { $0 > 0x20 }.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        let behind = bytes.drop { $0 != UInt8(ascii: ":") }.drop { ":/".utf8.contains($0) }
        let authority = behind.prefix { !"/?#".utf8.contains($0) }
        let pieces = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let name = (pieces.last ?? authority).prefix { $0 != UInt8(ascii: ":") }
        return Array(name)
    }

    /// The longest address in bytes for which a rule can be made.
    private static let longest = 16_384

    static func isHost(_ host: String.UTF8View) -> Bool {
        guard let first = host.first, ShellCharacters.isAlphanumeric(first) else { return false }
        return host.allSatisfy {
            ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }
}
