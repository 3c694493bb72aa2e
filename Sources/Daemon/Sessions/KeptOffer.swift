import Core
import OrderedJSON
import Platform

/// Keeps what Claude Code offered last in a file, so that a phone can choose the model of the first session after a restart.
struct KeptOffer: Sendable {
    private let path: String
    private let lane = WorkLane(threads: 1, mostWeight: 16)

    /// - Parameter home: `$CDEV_HOME`.
    init(home: String) {
        path = home + "/claude-offer.json"
    }

    /// Empty where nothing was kept, or it cannot be read: the next session tells it again.
    func read() -> AgentOffer {
        guard let bytes = FileBytes.read(path, limit: 4 << 20), let kept = try? JSON(parsing: bytes) else {
            return AgentOffer()
        }
        return AgentOffer(
            models: (kept["models"]?.arrayValue ?? []).compactMap(AgentOffer.Model.init(kept:)),
            commands: (kept["commands"]?.arrayValue ?? []).compactMap(AgentOffer.Command.init(kept:)))
    }

    /// Written beside the loop.
    func write(_ offer: AgentOffer) {
        let text: JSON = [
            "models": .array(offer.models.map(\.kept)),
            "commands": .array(
                offer.commands.map { [.string($0.name), .string($0.description), .string($0.argumentHint)] }),
        ]
        _ = lane.start(weight: 1) { [path] in
            try? AtomicFile.replace(path, with: Array((text.serialized() + "\n").utf8))
        }
    }
}

extension AgentOffer.Model {
    fileprivate init?(kept: JSON) {
        guard let texts = kept.arrayValue?.compactMap(\.stringValue), texts.count >= 3 else { return nil }
        self.init(
            value: texts[0], name: texts[1], description: texts[2],
            resolved: texts.count > 3 && !texts[3].isEmpty ? texts[3] : nil, efforts: Array(texts.dropFirst(4)))
    }

    /// Its texts, the efforts last.
    fileprivate var kept: JSON {
        .array(([value, name, description, resolved ?? ""] + efforts).map(JSON.string))
    }
}

extension AgentOffer.Command {
    fileprivate init?(kept: JSON) {
        guard let texts = kept.arrayValue?.compactMap(\.stringValue), texts.count == 3 else { return nil }
        self.init(name: texts[0], description: texts[1], argumentHint: texts[2])
    }
}
