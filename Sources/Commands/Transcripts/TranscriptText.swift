import OrderedJSON
import TerminalView

/// A transcript as text for a terminal or a pipe, hidden characters escaped.
struct TranscriptText {
    private let paint: Paint
    private let visible: VisibleText
    private let showsThoughts: Bool
    private var digest = TranscriptDigest()

    init(_ invocation: Invocation) {
        paint = Paint(invocation.environment)
        visible = VisibleText(charset: Charset(environment: invocation.environment))
        showsThoughts = invocation.has("--thoughts")
    }

    mutating func note(subagents list: [JSON]) { digest.note(subagents: list) }

    /// The text of one more message.
    mutating func add(_ message: JSON) -> String { digest.add(message).map(text).joined() }

    /// Calls that have no result.
    mutating func finish() -> String { digest.unfinished.map(text).joined() }

    private func text(_ item: TranscriptItem) -> String {
        switch item {
        case .call(let call, let outcome): "  ▸ \(call)  \(words(outcome))\n"
        case .command(let text): paint.bold(lines(text, "> ")) + "\n"
        case .inner(let item): inner(text(item))
        case .note(let text): paint.dim(text) + "\n\n"
        case .prompt(let text, let time): paint.dim(time) + "\n" + paint.bold(lines(text, "> ")) + "\n"
        case .said(let text): lines(text, "") + "\n"
        case .thought(let text): showsThoughts ? paint.dim(lines(text, "  ~ ")) + "\n" : ""
        }
    }

    /// The text of a subagent behind a bar.
    private func inner(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { paint.dim("  ┆ ") + $0 + "\n" }
            .joined()
    }

    private func words(_ outcome: TranscriptItem.Outcome?) -> String {
        guard let outcome else { return paint.dim("no result") }
        let text = outcome.isError ? paint.bad(outcome.text) : paint.dim(outcome.text)
        let subagent = outcome.subagent.isEmpty ? "" : paint.dim(" (\(outcome.subagent))")
        return "\(paint.dim("→"))  \(text)\(subagent)\n"
    }

    /// Each line behind a mark, hidden characters escaped.
    private func lines(_ text: String, _ mark: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { mark + visible.plain(String($0)) + "\n" }
            .joined()
    }
}
