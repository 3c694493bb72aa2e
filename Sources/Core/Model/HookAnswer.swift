package import OrderedJSON

/// What a blocking hook hears. `pass` is no opinion: Claude does what it would do without us.
package enum HookAnswer: Sendable, Hashable {
    /// `updatedInput` replaces the whole input of the tool.
    case allow(reason: String, updatedInput: JSON?)
    /// `ask`: Claude shows its own prompt, with the reason. Understood at PreToolUse only.
    case ask(reason: String)
    /// `message` is read by the model.
    case deny(message: String)
    case pass
}
