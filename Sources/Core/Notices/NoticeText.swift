import OrderedJSON
import Text

/// The text of a notice, as a lock screen may show it.
package struct NoticeText: Sendable, Hashable {
    /// Project and tool.
    package let title: String
    package let body: String

    /// - Parameter includesDetails: True if the text names the command or file, which is then visible to the channel's
    ///   servers and on a lock screen.
    package init(_ notice: Notice, includesDetails: Bool) {
        switch notice.subject {
        case .asked(let request):
            title = Self.title(request)
            let asking = Self.asking(request, waiting: notice.waiting, includesDetails)
            let why = includesDetails ? Self.why(request) : nil
            body = why.map { "\(asking)\n\($0)" } ?? asking
        case .ended(let request, let resolution):
            title = Self.title(request)
            body = Self.ending(resolution)
        case .denyIgnored(let deny):
            title = "\(Self.project(deny.cwd)): \(Self.shown(deny.toolName, 60)) ran though it was denied"
            let who = Self.shown(OutcomeWords.who(deny.deniedBy.spelling), 80)
            body = "\(deny.agent.name) ran a call that was denied by \(who); look at it"
        case .deviceEnds(let name):
            title = "cdev"
            body = "The right of \(Self.shown(name, 64)) ends within a day; pair it again with `cdev pair`"
        case .idle(_, let cwd):
            title = Self.project(cwd)
            body = "Claude waits for you"
        case .reported(let reported):
            title = Self.shown(includesDetails ? reported.kept.title : reported.plainTitle, 300)
            body = Self.shown(includesDetails ? reported.kept.body : reported.plainBody, 2000)
        case .stopped(_, let cwd):
            title = Self.project(cwd)
            body = "Claude has finished its turn"
        case .test:
            title = "cdev"
            body = "This is a test: notifications arrive here"
        }
    }

    private static func title(_ request: PermissionRequest) -> String {
        let tool = shown(request.toolName, 60)
        return "\(project(request.cwd)): \(tool)\(request.isUnverified ? " (unverified)" : "")"
    }

    package static func project(_ cwd: String) -> String {
        let name = cwd.split(separator: "/").last.map(String.init) ?? ""
        return name.isEmpty ? "Claude" : shown(name, 60)
    }

    private static func asking(_ request: PermissionRequest, waiting: Int, _ includesDetails: Bool) -> String {
        let count = waiting > 1 ? "\(waiting) waiting" : "waits for your answer"
        let detail = includesDetails ? detail(request.tool, request.input) : ""
        return detail.isEmpty ? count : waiting > 1 ? "\(detail) (\(count))" : detail
    }

    /// The agent's last words, else what its user asked last, on one line.
    private static func why(_ request: PermissionRequest) -> String? {
        func line(_ text: String) -> String { shown(text.split(separator: "\n").joined(separator: " "), 200) }
        if let words = request.context.lastWords { return "\(request.agent.profile.name): \(line(words))" }
        return request.context.prompt.map { "You asked: \(line($0))" }
    }

    private static func ending(_ resolution: Resolution) -> String {
        switch resolution.resolver {
        case .timeout: return "not answered in time"
        case .hookGone, .lost: return "withdrawn: Claude no longer waits"
        case .terminal: return "answered in terminal"
        default:
            let scope = resolution.scope?.rawValue ?? ""
            let by = resolution.resolver.spelling
            return shown(OutcomeWords.text(resolution.decision.rawValue, scope: scope, by: by), 120)
        }
    }

    /// The command, file or address, on one line; empty if the input is too large.
    private static func detail(_ tool: Tool, _ kept: KeptJSON) -> String {
        // A notification's text is made on the loop, and a larger input takes long to parse; the card shows it.
        guard kept.size <= longestDetailed else { return "" }
        let roles: [ToolRole] = [.command, .file, .url, .path, .query, .prompt]
        return shown(tool.firstText(roles, in: kept.value) ?? "", 300)
    }

    private static let longestDetailed = 32 << 10

    /// The text cut to `limit` characters, with hidden characters, tabs and line feeds replaced by U+FFFD.
    static func shown(_ text: String, _ limit: Int) -> String {
        // Cut before the characters are examined: an input may have megabytes.
        let scalars = text.unicodeScalars.prefix(limit * 4).map {
            $0.isHidden || $0 == "\n" || $0 == "\t" ? "\u{FFFD}" : $0
        }
        let line = String(String.UnicodeScalarView(scalars))
        return line.count > limit || text.unicodeScalars.dropFirst(limit * 4).first != nil
            ? line.prefix(limit - 1) + "…" : line
    }
}
