package import OrderedJSON

/// What a blocking hook hears. `pass` is no opinion: Claude does what it would do without us.
package enum HookAnswer: Sendable, Hashable {
    /// `update` replaces the whole input of the tool.
    case allow(reason: String, update: KeptJSON?)
    /// `ask`: Claude shows its own prompt, with the reason. Understood at PreToolUse only.
    case ask(reason: String)
    /// `message` is read by the model.
    case deny(message: String)
    case pass
}

extension HookAnswer {
    package static func allow(reason: String, updatedInput: JSON?) -> HookAnswer {
        .allow(reason: reason, update: updatedInput.map { KeptJSON($0) })
    }

    /// About how many bytes it holds beside its small fields.
    package var size: Int {
        if case .allow(_, let update) = self { update?.size ?? 0 } else { 0 }
    }
}
