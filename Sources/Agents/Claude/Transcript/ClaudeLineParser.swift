package import Core

/// Reads lines of Claude Code's transcripts (2.1.x, and what is known of earlier ones). A line of an unknown type, and one
/// that is no JSON at all, is `other`; a member that is missing or of another type counts as absent.
package struct ClaudeLineParser {
    /// Bytes of a message's texts that are searched: of all, of the input of a tool, and of its result. Results are mostly
    /// files, which are found in the project.
    private static let longestInput = 4 << 10
    private static let longestResult = 8 << 10

    private var line = TranscriptLine()
    private var text: [UInt8] = []
    private var ids: [UInt8] = []
    private var type = LineType.unknown
    private var messageID: String?
    private var sessionID: String?
    private var requestSessionID: String?
    private var isBoundary = false
    /// Texts that are the same in nearly every line of a file.
    private var branch = RepeatedText()
    private var cwd = RepeatedText()
    private var model = RepeatedText()
    private var agent = RepeatedText()
    private var session = RepeatedText()
    /// The answer whose tokens were counted last: each line of an answer repeats them.
    private var countedMessage: String?

    private enum LineType { case unknown, other, user, assistant, attachment }

    package init() {}

    /// Reads a line without its end.
    package mutating func read(_ bytes: [UInt8]) -> TranscriptLine {
        bytes.withUnsafeBufferPointer { read($0, $0.startIndex..<$0.endIndex) }
    }

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> TranscriptLine {
        line = TranscriptLine()
        text.removeAll(keepingCapacity: true)
        ids.removeAll(keepingCapacity: true)
        (type, messageID, requestSessionID, isBoundary) = (.unknown, nil, nil, false)
        var scanner = LineScanner(bytes, range)
        _ = scanner.object { scanner, key in member(key, &scanner) }
        finish()
        return line
    }

    private mutating func finish() {
        switch type {
        case .user: line.kind = .user
        case .assistant: line.kind = .assistant
        case .attachment where line.flags.contains(.queued): line.kind = .user
        default: line.kind = .other
        }
        guard line.isMessage else {
            if line.about == nil { line = TranscriptLine() }
            return
        }
        if let messageID {
            if countedMessage == messageID { line.tokens = TranscriptTokens() }
            countedMessage = messageID
        }
        if let requestSessionID, let sessionID, requestSessionID != sessionID, line.about == nil {
            line.about = .forked(from: requestSessionID)
        }
        line.text = String(decoding: ids + text, as: UTF8.self)
    }

    // MARK: Members of a line

    private mutating func member(_ key: Range<Int>, _ scanner: inout LineScanner) {
        switch key.count {
        case 3 where scanner.holds(key, "cwd"): line.cwd = cwd.read(&scanner)
        case 4:
            if scanner.holds(key, "type") {
                readType(&scanner)
            } else if scanner.holds(key, "uuid") {
                line.uuid = scanner.id()
            }
        case 6:
            if scanner.holds(key, "isMeta") {
                set(.meta, scanner)
            } else if scanner.holds(key, "origin") {
                readOrigin(&scanner)
            }
        case 7:
            if scanner.holds(key, "message"), type != .other {
                _ = scanner.object { scanner, key in messageMember(key, &scanner) }
            } else if scanner.holds(key, "agentId") {
                line.agentID = agent.read(&scanner)
            } else if scanner.holds(key, "content") {
                readQueued(&scanner)
            } else if scanner.holds(key, "aiTitle") {
                line.about = title(&scanner).map { .summary($0) }
            } else if scanner.holds(key, "summary"), type == .other {
                line.about = title(&scanner).map { .summary($0) }
            }
        case 9: memberOfNine(key, &scanner)
        case 10:
            if scanner.holds(key, "parentUuid") {
                line.parent = scanner.id() ?? line.parent
            } else if scanner.holds(key, "attachment") {
                readAttachment(&scanner)
            } else if scanner.holds(key, "forkedFrom") {
                readFork(&scanner)
            }
        case 11:
            if scanner.holds(key, "isSidechain") {
                set(.sidechain, scanner)
            } else if scanner.holds(key, "customTitle") {
                line.about = title(&scanner).map { .name($0) }
            }
        case 12:
            if scanner.holds(key, "promptSource") {
                if let name = scanner.string(), scanner.holds(name, "system") { line.flags.insert(.meta) }
            } else if scanner.holds(key, "totalCostUSD"), let cost = Double(scanner.spelling),
                (0...1e9).contains(cost)
            {
                line.about = .cost(Int64((cost * 1e6).rounded()))
            }
        case 16:
            if scanner.holds(key, "isCompactSummary") {
                set(.compaction, scanner)
            } else if scanner.holds(key, "requestSessionId") {
                requestSessionID = scanner.id()
            }
        case 17 where scanner.holds(key, "logicalParentUuid"):
            line.parent = scanner.id() ?? line.parent
        default: break
        }
    }

    private mutating func memberOfNine(_ key: Range<Int>, _ scanner: inout LineScanner) {
        if scanner.holds(key, "timestamp") {
            line.time = scanner.string().flatMap { Timestamp(rfc3339: scanner.plain($0)) }
        } else if scanner.holds(key, "gitBranch") {
            line.branch = branch.read(&scanner)
        } else if scanner.holds(key, "sessionId") {
            sessionID = session.read(&scanner)
        }
    }

    private mutating func set(_ flag: TranscriptLine.Flags, _ scanner: LineScanner) {
        if scanner.current == UInt8(ascii: "t") { line.flags.insert(flag) }
    }

    private mutating func readType(_ scanner: inout LineScanner) {
        guard let name = scanner.string() else { return }
        if scanner.holds(name, "assistant") {
            type = .assistant
        } else if scanner.holds(name, "user") {
            type = .user
        } else if scanner.holds(name, "attachment") {
            type = .attachment
        } else {
            type = .other
        }
    }

    /// Reads who wrote a prompt. A prompt of an unknown kind may be a person's: a phone's, or spoken.
    private mutating func readOrigin(_ scanner: inout LineScanner) {
        _ = scanner.object { scanner, key in
            guard scanner.holds(key, "kind"), let kind = scanner.string() else { return }
            if Self.ownKinds.contains(where: { scanner.holds(kind, $0) }) { line.flags.insert(.meta) }
        }
    }

    /// Prompts that Claude Code or another agent writes.
    private static let ownKinds: [StaticString] = [
        "auto-continuation", "coordinator", "observer-activity", "peer", "task-notification",
    ]

    private func title(_ scanner: inout LineScanner) -> String? {
        guard let range = scanner.string() else { return nil }
        var bytes: [UInt8] = []
        scanner.append(range, to: &bytes, limit: 4096)
        return CallContext.beginning(of: String(decoding: bytes, as: UTF8.self))
    }

    private mutating func readFork(_ scanner: inout LineScanner) {
        _ = scanner.object { scanner, key in
            if scanner.holds(key, "sessionId"), let id = scanner.id() { line.about = .forked(from: id) }
        }
    }

    /// The content of a line about the queue of prompts, which has no message: `/clear` ends the session.
    private mutating func readQueued(_ scanner: inout LineScanner) {
        guard type == .other, scanner.current == UInt8(ascii: "\""), let content = scanner.string() else { return }
        if scanner.holds(content, "/clear") { line.about = .cleared }
    }

    private mutating func readAttachment(_ scanner: inout LineScanner) {
        var isPrompt = false
        _ = scanner.object { scanner, key in
            if scanner.holds(key, "type") {
                if let name = scanner.string() { isPrompt = scanner.holds(name, "queued_command") }
            } else if isPrompt, scanner.holds(key, "prompt") {
                line.flags.insert(.queued)
                content(&scanner)
            }
        }
    }

    // MARK: Members of a message

    private mutating func messageMember(_ key: Range<Int>, _ scanner: inout LineScanner) {
        if scanner.holds(key, "content") {
            content(&scanner)
        } else if scanner.holds(key, "model") {
            line.model = model.read(&scanner)
        } else if scanner.holds(key, "id") {
            messageID = scanner.id()
        } else if scanner.holds(key, "usage") {
            _ = scanner.object { scanner, key in
                if scanner.holds(key, "output_tokens") {
                    line.tokens.output = scanner.number
                } else if scanner.holds(key, "input_tokens") || scanner.holds(key, "cache_read_input_tokens")
                    || scanner.holds(key, "cache_creation_input_tokens")
                {
                    line.tokens.input.addClamped(scanner.number)
                }
            }
        }
    }

    private mutating func content(_ scanner: inout LineScanner) {
        if scanner.current == UInt8(ascii: "\"") {
            guard let range = scanner.string() else { return }
            if scanner.begins(range, with: "<command-name>/clear</command-name>") { line.flags.insert(.clear) }
            // A version before `origin` says it only so.
            if scanner.begins(range, with: "<task-notification>") { line.flags.insert(.meta) }
            add(range, scanner, limit: TranscriptLine.longestText)
            line.flags.insert(.text)
        } else {
            _ = scanner.array { block(&$0) }
        }
    }

    /// A block's type may come after what it holds, so its members are looked at twice.
    private mutating func block(_ scanner: inout LineScanner) {
        let start = scanner
        var kind = ClaudeBlockKind.other
        _ = scanner.object { scanner, key in
            guard scanner.holds(key, "type"), let name = scanner.string() else { return }
            kind = ClaudeBlockKind(name, scanner)
        }
        var again = start
        switch kind {
        case .other: return
        case .text: line.flags.insert(.text)
        case .thinking: return line.flags.formUnion(.thinking)
        case .toolUse: line.flags.insert(.toolUse)
        case .toolResult: line.flags.insert(.toolResult)
        }
        _ = again.object { scanner, key in blockMember(kind, key, &scanner) }
    }

    private mutating func blockMember(_ kind: ClaudeBlockKind, _ key: Range<Int>, _ scanner: inout LineScanner) {
        switch kind {
        case .text where scanner.holds(key, "text"):
            if let range = scanner.string() { add(range, scanner, limit: TranscriptLine.longestText) }
        case .toolUse where scanner.holds(key, "id"), .toolResult where scanner.holds(key, "tool_use_id"):
            guard let range = scanner.string() else { return }
            scanner.append(range, to: &ids, limit: 200)
            ids.append(0x0A)
        case .toolUse where scanner.holds(key, "name"):
            if let range = scanner.string() { add(range, scanner, limit: 200) }
        case .toolUse where scanner.holds(key, "input"): strings(&scanner, limit: Self.longestInput)
        case .toolResult where scanner.holds(key, "content"): strings(&scanner, limit: Self.longestResult)
        case .toolResult where scanner.holds(key, "is_error"): set(.error, scanner)
        default: break
        }
    }

    private mutating func strings(_ scanner: inout LineScanner, limit: Int) {
        let full = text.count + limit
        let reader = scanner
        scanner.strings { range in
            // Pictures in Base64 are no words.
            if text.count < full, !reader.begins(range, with: "iVBOR"), !reader.begins(range, with: "/9j/") {
                add(range, reader, limit: full - text.count)
            }
        }
    }

    private mutating func add(_ range: Range<Int>, _ scanner: LineScanner, limit: Int) {
        let room = TranscriptLine.longestText - text.count
        guard room > 0 else { return }
        scanner.append(range, to: &text, limit: min(limit, room))
        text.append(0x0A)
    }
}
