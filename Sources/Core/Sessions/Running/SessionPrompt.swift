/// A prompt on its way through a run session.
package struct SessionPrompt: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Not written to a child.
        case queued
        case sent
        /// The child took it up.
        case started
    }

    /// The most bytes of its blocks, pictures included.
    package static let longest = 10 << 20

    /// A UUID that its sender chose: the same id is never run twice.
    package let id: String
    /// Empty once the child said that it has it, or somebody took it back. Until then it may be written to another child: the
    /// same id is run once.
    package internal(set) var blocks: [PromptBlock]
    package internal(set) var state: State
    /// True once the child told of its life cycle, which then tells its end too.
    package internal(set) var isFollowed = false
    /// True once it is written for the second time, as nothing tells that the first child, or daemon, brought it through.
    package internal(set) var isRepeated = false
    /// The id of the device that sent it; `nil` for a process of our own user.
    package let sender: String?

    package init(
        id: String, blocks: [PromptBlock], state: State = .queued, isFollowed: Bool = false, isRepeated: Bool = false,
        sender: String? = nil
    ) {
        self.id = id
        self.blocks = blocks
        self.state = state
        self.isFollowed = isFollowed
        self.isRepeated = isRepeated
        self.sender = sender
    }

    /// Bytes that are kept of it.
    var size: Int { blocks.reduce(0) { $0 + $1.size } }

    /// True if nothing tells that a child has it.
    var isUnconfirmed: Bool { state == .sent && !blocks.isEmpty }

    /// True if somebody took it back while nothing told that a child has it: no other child is given it.
    var isTakenBack: Bool { state == .sent && blocks.isEmpty && !isFollowed }
}

/// A part of a prompt.
package enum PromptBlock: Sendable, Hashable {
    /// `data`: in base64.
    case image(mediaType: String, data: String)
    case text(String)
}

extension PromptBlock {
    package var size: Int {
        switch self {
        case .image(_, let data): data.utf8.count
        case .text(let text): text.utf8.count
        }
    }
}

/// The end of a prompt. Each prompt has one.
package enum PromptEnd: Sendable, Hashable {
    /// It was taken out of the queue.
    case cancelled
    /// The child is done with it, whatever came of it.
    case completed
    case failed(PromptFailure)
}

/// The reason for which nothing is known of what became of a prompt.
package enum PromptFailure: Sendable, Hashable {
    /// `said`: the end of what it complained about.
    case childEnded(ChildExit, said: String? = nil)
    /// The daemon ended before the prompt was sent.
    case neverSent
    case neverStarted(String)
    case sessionEnded(RunEnd)
}

/// The knowledge of a prompt when it is sent, or sent again.
package enum PromptReceipt: Sendable, Hashable {
    case ended(PromptEnd)
    case queued
    case sent
}

/// The end of a child. An end in good order after a turn that failed has the code 1, so the code judges nothing.
package enum ChildExit: Sendable, Hashable {
    case code(Int32)
    case signal(Int32)
    /// It ended while no daemon ran.
    case unseen
}
