/// A prompt on its way through a run session.
package struct SessionPrompt: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Not written to a child.
        case queued
        case sent
        /// The child took it up.
        case started
    }

    /// A UUID that its sender chose: the same id is never run twice.
    package let id: String
    /// Empty once it was sent.
    package internal(set) var blocks: [PromptBlock]
    package internal(set) var state: State
    /// True once the child told of its life cycle, which then tells its end too.
    package internal(set) var isFollowed = false

    package init(id: String, blocks: [PromptBlock], state: State = .queued, isFollowed: Bool = false) {
        self.id = id
        self.blocks = blocks
        self.state = state
        self.isFollowed = isFollowed
    }
}

/// A part of a prompt.
package enum PromptBlock: Sendable, Hashable {
    /// `data`: in base64.
    case image(mediaType: String, data: String)
    case text(String)
}

/// How a prompt ended. Each prompt has one end.
package enum PromptEnd: Sendable, Hashable {
    /// It was taken out of the queue.
    case cancelled
    /// The child is done with it, whatever came of it.
    case completed
    case failed(PromptFailure)
}

/// The reason for which nothing is known of what became of a prompt.
package enum PromptFailure: Sendable, Hashable {
    case childEnded(ChildExit)
    /// The daemon ended before the prompt was sent.
    case neverSent
    case neverStarted(String)
    case sessionEnded(RunEnd)
}

/// What is known of a prompt when it is sent, or sent again.
package enum PromptReceipt: Sendable, Hashable {
    case ended(PromptEnd)
    case queued
    case sent
}

/// How a child ended. An end in good order after a turn that failed has the code 1, so the code judges nothing.
package enum ChildExit: Sendable, Hashable {
    case code(Int32)
    case signal(Int32)
    /// It ended while no daemon ran.
    case unseen
}
