import Core
import OrderedJSON
import TerminalView
import TestSupport

/// The model and screen of `cdev watch` without terminal and daemon: takes events, collects effects, shows the screen
/// as text, with a clock that the test sets.
struct Stage {
    var model: WatchModel
    var screen: Screen
    var size = TerminalSize(columns: 80, rows: 24)
    private(set) var uptime: Int64 = 10_000

    static let start: Int64 = 1_795_000_000_000

    init(
        hasEditor: Bool = false, charset: Charset = .utf8, features: Features = Features(), cards: [JSON] = []
    ) {
        model = WatchModel(hasEditor: hasEditor)
        screen = Screen(charset: charset)
        _ = tell(.connected(features, cards: cards))
        settle()
    }

    var now: Moment { Moment(wall: Timestamp(milliseconds: Self.start + uptime), uptime: uptime) }

    @discardableResult
    mutating func tell(_ event: WatchEvent) -> [WatchEffect] {
        let effects = model.handle(event, at: now)
        return effects
    }

    /// Draws, as the loop does after every event.
    @discardableResult
    mutating func draw() -> [String] {
        let frame = screen.frame(of: model, size: size, at: now)
        model.drew(frame, at: now)
        return frame.lines.map(\.text)
    }

    mutating func wait(_ milliseconds: Int64) {
        uptime += milliseconds
    }

    /// Draws, and waits until keys count.
    mutating func settle() {
        draw()
        wait(500)
        draw()
    }

    /// Draws, presses a key, and draws again.
    @discardableResult
    mutating func press(_ key: Key) -> [WatchEffect] {
        draw()
        let effects = tell(.key(key))
        draw()
        return effects
    }

    /// The same after waiting until keys count.
    @discardableResult
    mutating func answer(_ key: Key) -> [WatchEffect] {
        settle()
        return press(key)
    }

    mutating func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    var text: String {
        mutating get { draw().map(\.withoutLastBlanks).joined(separator: "\n") }
    }
}

enum Made {
    /// A card of a Bash call with its deadline in `seconds`.
    static func bash(
        _ id: String = "r_1", _ command: String = "npm test", seconds: Double = 60, opening: Int = 1,
        patterns: [JSON] = ["Bash(npm test:*)"], more: JSONObject = [:]
    ) -> JSON {
        card(
            id, "Bash", ["command": .string(command), "description": "Run it"], command, seconds, opening, patterns,
            more)
    }

    static func call(_ tool: String, _ input: JSON, id: String = "r_1", more: JSONObject = [:]) -> JSON {
        card(id, tool, input, "", 60, 1, [], more)
    }

    private static func card(
        _ id: String, _ tool: String, _ input: JSON, _ target: String, _ seconds: Double, _ opening: Int,
        _ patterns: [JSON], _ more: JSONObject
    ) -> JSON {
        let created = Timestamp(milliseconds: Stage.start + 10_000)
        var params: JSONObject = [
            "request_id": .string(id), "session_id": "0123456789abcdef", "tool_name": .string(tool),
            "tool_input": input, "target": .string(target), "description": "made up", "cwd": "/home/u/proj",
            "patterns": .array(patterns), "opening": .number(JSONNumber(opening)),
            "created_at": .string(created.rfc3339), "deadline": .string((created + seconds).rfc3339),
        ]
        for (key, value) in Tool.claude(tool).listing { params[key] = value }
        for (key, value) in more { params[key] = value }
        return .object(params)
    }

    static func end(
        _ id: String = "r_1", _ decision: JSON = "allow", by: JSON = "device phone", opening: Int = 1,
        corrects: Bool = false
    ) -> JSON {
        [
            "request_id": .string(id), "decision": decision, "resolved_by": by,
            "opening": .number(JSONNumber(opening)), "corrects": .bool(corrects),
        ]
    }
}

extension [WatchEffect] {
    /// The parameters of the only answer among the effects; `nil` where there is none or more than one.
    var response: JSON? {
        var found: [JSON] = []
        for case .respond(_, let params) in self { found.append(.object(params)) }
        guard found.count == 1 else { return Optional.none }
        return found[0]
    }
}

extension String {
    fileprivate var withoutLastBlanks: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
