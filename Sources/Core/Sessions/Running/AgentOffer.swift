/// The models and the slash commands that an agent offers, as it tells them when it starts.
package struct AgentOffer: Sendable, Hashable {
    package struct Model: Sendable, Hashable {
        /// As the agent's `--model` takes it.
        package let value: String
        package let name: String
        package let description: String
        /// The model's own name, as a session tells the model; `nil` where the agent did not tell.
        package let resolved: String?
        /// How hard it may think, from the least on; empty where that cannot be chosen.
        package let efforts: [String]

        package init(
            value: String, name: String, description: String, resolved: String? = nil, efforts: [String] = []
        ) {
            self.value = value
            self.name = name
            self.description = description
            self.resolved = resolved
            self.efforts = efforts
        }
    }

    package struct Command: Sendable, Hashable {
        /// Without the slash.
        package let name: String
        package let description: String
        package let argumentHint: String

        package init(name: String, description: String, argumentHint: String) {
            self.name = name
            self.description = description
            self.argumentHint = argumentHint
        }
    }

    package var models: [Model]
    package var commands: [Command]

    package init(models: [Model] = [], commands: [Command] = []) {
        self.models = models
        self.commands = commands
    }
}

/// The part of a model's context window that a conversation fills, in tokens.
package struct ContextUse: Sendable, Hashable {
    package let tokens: Int
    /// `nil` where the agent did not tell.
    package let window: Int?

    package init(tokens: Int, window: Int?) {
        self.tokens = tokens
        self.window = window
    }
}
