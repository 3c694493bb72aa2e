/// The facts that a transcript's lines tell about its session, added up line by line.
package struct TranscriptFacts: Sendable, Hashable {
    /// The directory in which the session began.
    package var cwd: String?
    /// The title that a person gave.
    package var name: String?
    /// The last title or summary that the agent gave.
    package var summary: String?
    /// The beginning of the first prompt.
    package var prompt: String?
    package var messages: Int64 = 0
    package var firstTime: Timestamp?
    package var lastTime: Timestamp?
    package var branch: String?
    package var model: String?
    package var tokens = TranscriptTokens()
    /// Millionths of a dollar; `nil` if the agent wrote none down.
    package var cost: Int64?
    /// The session whose lines were copied into this one.
    package var forkedFrom: String?
    /// True if the session began with the command that cleared another.
    package var beginsCleared = false
    /// When the session was cleared last, and another went on.
    package var clearedAt: Timestamp?

    package init() {}

    /// Takes a line about the session, or a message that is counted.
    package mutating func take(_ line: TranscriptLine) {
        switch line.about {
        case .cost(let cost): self.cost = cost
        case .cleared: clearedAt = line.time
        case .forked(let other): forkedFrom = forkedFrom ?? other
        case .name(let name): self.name = name
        case .summary(let text): summary = text
        case nil: break
        }
        if line.isMessage { count(line) }
    }

    private mutating func count(_ line: TranscriptLine) {
        messages += 1
        cwd = cwd ?? line.cwd
        branch = line.branch ?? branch
        model = line.model ?? model
        tokens.input.addClamped(line.tokens.input)
        tokens.output.addClamped(line.tokens.output)
        if let time = line.time {
            firstTime = firstTime ?? time
            lastTime = max(lastTime ?? time, time)
        }
        if line.flags.contains(.clear), messages <= 2 { beginsCleared = true }
        if prompt == nil, line.isPrompt { prompt = CallContext.beginning(of: line.text) }
    }

    /// The title that stands for the session in a list.
    package var title: String { name ?? summary ?? prompt ?? "" }
}

extension TranscriptLine {
    /// True if a person wrote it, and no command did.
    fileprivate var isPrompt: Bool {
        kind == .user && flags.contains(.text)
            && flags.isDisjoint(with: [.meta, .compaction, .toolResult, .sidechain, .clear]) && text.utf8.first != 0x3C
    }
}
