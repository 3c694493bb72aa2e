import Daemon
import OrderedJSON

/// Completion of command lines in shells: the scripts, and the answers to their questions.
enum Completion {
    /// The word with which a script asks for candidates. It is no command for people, so the help does not list it.
    static let query = "__complete"

    /// The candidates for the last of `words`, one a line; after a tab, words about it.
    /// - Parameter words: The words after `cdev`; the last is the one being typed and may be empty.
    static func answer(_ words: [String], _ environment: [String: String]) -> String {
        let typed = words.last ?? ""
        return candidates(Array(words.dropLast()), typed, environment)
            .filter { $0.word.hasPrefix(typed) && $0.word.utf8.allSatisfy(isPlain) }
            .map { $0.about.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.about.shown(80))\n" }.joined()
    }

    /// True for bytes that no shell gives a meaning: names of tokens are free text.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private typealias Candidate = (word: String, about: String)

    private static func candidates(
        _ before: [String], _ typed: String, _ environment: [String: String]
    ) -> [Candidate] {
        let before = before.first == "help" ? Array(before.dropFirst()) : before
        guard let command = command(before) else {
            let names = Command.all.filter { $0.name.hasPrefix((before + [typed]).joined(separator: " ")) }
            let depth = before.count
            let next = names.compactMap { command -> Candidate? in
                let parts = command.name.split(separator: " ").map(String.init)
                return parts.count > depth ? (parts[depth], parts.count == depth + 1 ? command.summary : "") : nil
            }
            return unique(next + (before.isEmpty ? [("help", "explain a command")] : []))
        }
        let rest = Array(before.dropFirst(command.name.split(separator: " ").count))
        if typed.hasPrefix("-") { return command.options.map { ($0.name, $0.summary) } + [("--help", "explain it")] }
        let family = rest.isEmpty ? members(of: command) : []
        return family + operands(command, rest, environment)
    }

    /// The command whose whole name `words` begins with, the longest first; `nil` while it is being typed.
    private static func command(_ words: [String]) -> Command? {
        [2, 1].lazy.compactMap { count in
            words.count >= count ? Command.all.first { $0.name == words.prefix(count).joined(separator: " ") } : nil
        }.first
    }

    /// The second words of commands that begin with this command's name, such as `rules revoke`.
    private static func members(of command: Command) -> [Candidate] {
        Command.all.filter { $0.name.hasPrefix(command.name + " ") }.map {
            (String($0.name.dropFirst(command.name.count + 1)), $0.summary)
        }
    }

    private static func unique(_ candidates: [Candidate]) -> [Candidate] {
        var seen: Set<String> = []
        return candidates.filter { seen.insert($0.word).inserted }
    }

    /// Candidates for an operand, most of them ids that the daemon knows; none where no daemon answers.
    private static func operands(
        _ command: Command, _ rest: [String], _ environment: [String: String]
    ) -> [Candidate] {
        let invocation = Invocation(command: command, operands: [], options: [:], environment: environment)
        guard let places = try? Places(invocation) else { return [] }
        let operands = rest.filter { !$0.hasPrefix("-") }
        if let option = rest.last, option.hasPrefix("-"),
            command.options.contains(where: { $0.name == option && $0.value != nil })
        {
            return option == "--session" ? sessions(places) : []
        }
        switch (command.name, operands.count) {
        case ("allow", 0), ("answer", 0), ("deny", 0), ("pass", 0), ("show", 0): return requests(places)
        case ("config get", 0), ("config set", 0): return ConfigurationKey.all.map { ($0.name, $0.meaning) }
        case ("config set", 1):
            return ConfigurationKey.all.first { $0.name == operands[0] }?.choices.map { ($0, "") } ?? []
        case ("devices revoke", 0): return listed(places, "device/list", "devices", "device_id", "name")
        case ("gate", 0): return sessions(places)
        case ("gate", 1): return ["always", "auto", "default", "prompt", "tool-call"].map { ($0, "") }
        case ("completion", 0): return Shell.allCases.map { ($0.rawValue, "") }
        case ("man", 0): return Command.all.map { ($0.name, $0.summary) }
        case ("pair approve", 0), ("pair reject", 0):
            return listed(places, "pair/pending", "requests", "request_id", "name")
        case ("rules revoke", 0): return listed(places, "permission/rules", "rules", "id", "pattern")
        case ("workspaces remove", 0): return listed(places, "workspace/list", "workspaces", "id", "name")
        case ("attach", 0), ("send", 0), ("stop", 0): return runs(places)
        case ("transcript", 0): return transcripts(places) + runs(places)
        case ("token revoke", 0): return listed(places, "token/list", "tokens", "name", "")
        default: return []
        }
    }

    private static func requests(_ places: Places) -> [Candidate] {
        let named = ((try? places.client.pending()) ?? []).map(OpenRequest.named)
        return named.map { (ShortID.text($0.id, among: named.map(\.id)), $0.about) }
    }

    private static func sessions(_ places: Places) -> [Candidate] {
        let sessions = (try? places.client.call("hook/sessions"))?.list("sessions") ?? []
        return sessions.map { (String(SessionChoice.ownID($0).prefix(8)), $0.text("cwd")) }
    }

    private static func runs(_ places: Places) -> [Candidate] {
        listed(places, "session/active", "sessions", "id", "title")
    }

    private static func transcripts(_ places: Places) -> [Candidate] {
        let sessions = (try? places.client.call("workspace/session/history", ["limit": 100]))?.list("sessions") ?? []
        return sessions.map { (String($0.text("session_id").prefix(8)), $0.text("summary")) }
    }

    private static func listed(
        _ places: Places, _ method: String, _ list: String, _ id: String, _ about: String
    ) -> [Candidate] {
        let rows = (try? places.client.call(method))?.list(list) ?? []
        let ids = rows.map { $0.text(id) }
        return rows.map { (id == "name" ? $0.text(id) : ShortID.text($0.text(id), among: ids), $0.text(about)) }
    }
}
