import Core
import OrderedJSON

/// What an editor may choose for a session. A mode is told twice: as a mode, and among the options that take its place
/// in newer editors.
struct ACPSettings: Sendable, Hashable {
    var mode: String
    /// `nil` for the agent's default.
    var model: String?
    /// Likewise.
    var effort: String?
    let title: String?

    init(_ session: RunSession) {
        mode = session.mode.spelling
        model = session.model
        effort = session.effort
        title = session.title
    }

    private static let modes: [(id: String, name: String, meaning: String)] = [
        ("default", "Ask", "asks before it changes files or runs commands"),
        ("acceptEdits", "Accept edits", "changes files of the project without asking"),
        ("plan", "Plan", "reads, and changes nothing"),
        ("auto", "Auto", "asks where the agent itself finds it necessary"),
        ("dontAsk", "Do not ask", "refuses what is not allowed already"),
    ]

    /// Those that may be chosen, and the one that is. An agent that asks about nothing has to begin so.
    private var offered: [(id: String, name: String, meaning: String)] {
        Self.modes.contains { $0.id == mode } ? Self.modes : Self.modes + [(mode, mode, "")]
    }

    func offers(mode: String) -> Bool { offered.contains { $0.id == mode } }

    /// The member `modes`.
    var modes: JSON {
        [
            "currentModeId": .string(mode),
            "availableModes": .array(
                offered.map {
                    ["id": .string($0.id), "name": .string($0.name), "description": .string($0.meaning)]
                }),
        ]
    }

    /// The member `configOptions`.
    func options(_ offer: AgentOffer) -> JSON {
        var options = [
            Self.option(
                "mode", "Mode", mode, offered.map { Self.choice($0.id, $0.name, $0.meaning) })
        ]
        if !offer.models.isEmpty { options.append(self.model(offer)) }
        if !efforts(offer).isEmpty { options.append(self.effort(offer)) }
        return .array(options)
    }

    /// How hard the chosen model may be made to think.
    func efforts(_ offer: AgentOffer) -> [String] {
        let chosen = offer.models.first { $0.value == model ?? Self.agentsOwn }
        return (chosen ?? offer.models.first { $0.resolved == model })?.efforts ?? []
    }

    private func effort(_ offer: AgentOffer) -> JSON {
        let current = effort ?? Self.agentsOwn
        var values = [Self.agentsOwn] + efforts(offer)
        if !values.contains(current) { values.append(current) }
        let choices = values.map { value in
            value == Self.agentsOwn ? Self.choice(value, "Default", "the agent chooses") : Self.choice(value, value, "")
        }
        return Self.option("effort", "Effort", current, choices, category: "thought_level")
    }

    private func model(_ offer: AgentOffer) -> JSON {
        var choices = offer.models.map { Self.choice($0.value, $0.name, $0.description) }
        let current = model ?? Self.agentsOwn
        if !offer.models.contains(where: { $0.value == current }) {
            choices.insert(Self.choice(current, model ?? "Default", model == nil ? "the agent chooses" : ""), at: 0)
        }
        return Self.option("model", "Model", current, choices)
    }

    /// The value of the options "model" and "effort" that stands for no choice.
    static let agentsOwn = "default"

    /// - Parameter category: By which an editor knows what an option is for; `nil` if it is named as the option.
    private static func option(
        _ id: String, _ name: String, _ value: String, _ choices: [JSON], category: String? = nil
    ) -> JSON {
        [
            "id": .string(id), "name": .string(name), "category": .string(category ?? id), "type": "select",
            "currentValue": .string(value), "options": .array(choices),
        ]
    }

    private static func choice(_ value: String, _ name: String, _ meaning: String) -> JSON {
        ["value": .string(value), "name": .string(name), "description": .string(meaning)]
    }
}
