package import OrderedJSON

/// The answer to a blocking hook. `pass` is no opinion: Claude does what it would do without cdev.
package enum HookAnswer: Sendable, Hashable {
    /// `update` replaces the whole input of the tool.
    case allow(reason: String, update: KeptJSON?)
    /// Claude shows its own dialog, with the reason. Understood at PreToolUse only.
    case ask(reason: String)
    /// After a call has run: a person changed it before allowing it, and the model has to be told.
    case changed(asked: KeptJSON, ran: KeptJSON)
    /// `message` is read by the model.
    case deny(message: String)
    case pass
}

extension HookAnswer {
    package static func allow(reason: String, updatedInput: JSON?) -> HookAnswer {
        .allow(reason: reason, update: updatedInput.map { KeptJSON($0) })
    }

    /// The approximate bytes of its content, without its small members.
    package var size: Int {
        switch self {
        case .allow(_, let update): update?.size ?? 0
        case .changed(let asked, let ran): asked.size + ran.size
        case .ask, .deny, .pass: 0
        }
    }
}
