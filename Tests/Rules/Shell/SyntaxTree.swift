import Foundation

/// Reads shfmt's syntax tree of a script: its simple commands, with their words after quote removal.
struct SyntaxTree {
    struct Surprise: Error, Hashable {
        let what: String
    }

    /// A value of the tree. Foundation's parser reads it, which is built for release, because the trees are large.
    private struct Node {
        let value: Any

        subscript(key: String) -> Node? { (value as? [String: Any])?[key].map(Node.init) }
        var stringValue: String? { value as? String }
        var boolValue: Bool? { value as? Bool }
        var arrayValue: [Node]? { (value as? [Any])?.map(Node.init) }
    }

    /// The commands of each statement.
    static func commands(json: String) throws -> [[[String]]] {
        let tree = Node(value: try JSONSerialization.jsonObject(with: Data(json.utf8)))
        return try (tree["Stmts"]?.arrayValue ?? []).map { try commands(of: $0) }
    }

    private static func commands(of statement: Node) throws -> [[String]] {
        for flag in ["Background", "Coprocess", "Negated"] where statement[flag]?.boolValue == true {
            throw Surprise(what: flag)
        }
        for redirection in statement["Redirs"]?.arrayValue ?? [] { try check(redirection) }
        guard let command = statement["Cmd"], let type = command["Type"]?.stringValue else {
            throw Surprise(what: "no command")
        }
        switch type {
        case "CallExpr": return [try call(command)]
        case "BinaryCmd":
            guard let left = command["X"], let right = command["Y"] else { throw Surprise(what: "half a command") }
            return try commands(of: left) + commands(of: right)
        default: throw Surprise(what: type)
        }
    }

    private static func check(_ redirection: Node) throws {
        if isMessage(redirection) { return }
        let descriptor = redirection["N"]?["Value"]?.stringValue ?? ""
        let target = try redirection["Word"].map(word) ?? ""
        guard ["", "1", "2"].contains(descriptor), ["/dev/null", "1", "2"].contains(target) else {
            throw Surprise(what: "redirection \(descriptor) \(target)")
        }
    }

    /// True if a redirection is a here document with a quoted delimiter. The splitter accepts that after `git commit …
    /// -F -`.
    private static func isMessage(_ redirection: Node) -> Bool {
        redirection["Hdoc"] != nil && redirection["N"] == nil
            && redirection["Word"]?["Parts"]?.arrayValue?.first?["Type"]?.stringValue == "SglQuoted"
    }

    private static func call(_ command: Node) throws -> [String] {
        let assigned = try (command["Assigns"]?.arrayValue ?? []).map { assign in
            (assign["Name"]?["Value"]?.stringValue ?? "") + "=" + (try assign["Value"].map(word) ?? "")
        }
        return try assigned + (command["Args"]?.arrayValue ?? []).map(word)
    }

    private static func word(_ word: Node) throws -> String {
        try (word["Parts"]?.arrayValue ?? []).map { try part($0, isQuoted: false) }.joined()
    }

    private static func part(_ part: Node, isQuoted: Bool) throws -> String {
        let value = part["Value"]?.stringValue ?? ""
        switch part["Type"]?.stringValue {
        case "Lit" where !isQuoted && (value == "\\(" || value == "\\)"): return String(value.dropFirst())
        case "Lit":
            guard isQuoted || !value.contains("\\") else { throw Surprise(what: "backslash") }
            return isQuoted ? unescaped(value) : value
        case "SglQuoted" where part["Dollar"]?.boolValue != true: return value
        case "DblQuoted" where part["Dollar"]?.boolValue != true:
            return try (part["Parts"]?.arrayValue ?? []).map { try self.part($0, isQuoted: true) }.joined()
        case "ParamExp" where part["Short"]?.boolValue == true:
            return "$" + (part["Param"]?["Value"]?.stringValue ?? "")
        case "ParamExp" where part["Param"]?["Value"]?.stringValue == "PIPESTATUS": return try pipeStatus(part)
        case "CmdSubst" where isQuoted: return try hereDocument(part)
        default: throw Surprise(what: part["Type"]?.stringValue ?? "a part")
        }
    }

    /// The text of `${PIPESTATUS[0]}`. Throws for anything else.
    private static func pipeStatus(_ part: Node) throws -> String {
        let known: Set<String> = ["Type", "Pos", "End", "Dollar", "Rbrace", "Param", "Index"]
        guard let members = part.value as? [String: Any], members.keys.allSatisfy(known.contains),
            let index = try part["Index"].map(word), index.count == 1, index.allSatisfy(\.isNumber)
        else { throw Surprise(what: "PIPESTATUS") }
        return "${PIPESTATUS[\(index)]}"
    }

    /// The text that `$(cat <<'WORD' …)` prints. Throws for anything else.
    private static func hereDocument(_ part: Node) throws -> String {
        guard let statements = part["Stmts"]?.arrayValue, statements.count == 1, let statement = statements.first,
            let command = statement["Cmd"], try call(command) == ["cat"],
            let redirections = statement["Redirs"]?.arrayValue, redirections.count == 1,
            redirections[0]["Word"]?["Parts"]?.arrayValue?.first?["Type"]?.stringValue == "SglQuoted"
        else { throw Surprise(what: "CmdSubst") }
        var text = (redirections[0]["Hdoc"]?["Parts"]?.arrayValue ?? []).map { $0["Value"]?.stringValue ?? "" }.joined()
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    /// Removes backslashes as a shell does inside double quotes.
    private static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                if !"\"\\$`\n".contains(character) { result.append("\\") }
                if character != "\n" { result.append(character) }
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return isEscaped ? result + "\\" : result
    }
}
