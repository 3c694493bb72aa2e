import Core
import OrderedJSON

/// Reads what Claude Code offers, and how full its context is.
enum ClaudeFigures {
    /// Far more than are ever offered.
    private static let most = 500

    /// Reads the answer to `initialize`; `nil` for another answer.
    static func offer(_ answer: JSON?) -> AgentOffer? {
        guard let commands = answer?["commands"]?.arrayValue, let models = answer?["models"]?.arrayValue else {
            return nil
        }
        return AgentOffer(
            models: models.prefix(most).compactMap(model), commands: commands.prefix(most).compactMap(command))
    }

    private static func model(_ value: JSON) -> AgentOffer.Model? {
        guard let name = ClaudeStream.id(value["value"]) else { return nil }
        return AgentOffer.Model(
            value: name, name: text(value["displayName"]) ?? name, description: text(value["description"]) ?? "",
            resolved: ClaudeStream.id(value["resolvedModel"]),
            efforts: (value["supportedEffortLevels"]?.arrayValue ?? []).prefix(mostEfforts).compactMap(ClaudeStream.id))
    }

    /// There are five.
    private static let mostEfforts = 20

    private static func command(_ value: JSON) -> AgentOffer.Command? {
        guard let name = ClaudeStream.id(value["name"]) else { return nil }
        return AgentOffer.Command(
            name: name, description: text(value["description"]) ?? "",
            argumentHint: text(value["argumentHint"]) ?? "")
    }

    /// Descriptions are written for the model too, and may be pages long.
    private static func text(_ value: JSON?) -> String? { value?.stringValue.flatMap(CallContext.beginning) }

    /// The tokens that an answer of the model leaves in the context; a subagent has a context of its own.
    static func contextTokens(_ line: JSON) -> Int? {
        guard line["type"]?.stringValue == "assistant", line["parent_tool_use_id"]?.stringValue == nil,
            let usage = line["message"]?["usage"]
        else { return nil }
        return sum(inputParts + ["output_tokens"], usage)
    }

    /// The tokens of a turn; `nil` where its result tells none.
    static func tokens(_ usage: JSON?) -> TokenUse? {
        guard let usage, let input = sum(inputParts, usage), let output = sum(["output_tokens"], usage) else {
            return nil
        }
        return TokenUse(input: input, output: output)
    }

    private static let inputParts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]

    private static func sum(_ parts: [String], _ usage: JSON) -> Int? {
        let counts = parts.compactMap { usage[$0]?.intValue }.filter { (0...1_000_000_000).contains($0) }
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }

    /// The largest window of the models that a turn used: that of the main one.
    static func window(_ result: JSON) -> Int? {
        (result["modelUsage"]?.objectValue ?? [:]).compactMap { $0.1["contextWindow"]?.intValue }.max()
    }
}
