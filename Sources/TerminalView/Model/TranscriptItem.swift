/// A part of a transcript as people read it. All texts may be foreign.
package enum TranscriptItem: Sendable, Hashable {
    /// A call of a tool, and its outcome; `nil` while there is no result.
    case call(String, outcome: Outcome?)
    /// A command that a person gave to the agent's program.
    case command(String)
    /// A part of the transcript of a subagent.
    indirect case inner(TranscriptItem)
    /// A sentence about the transcript.
    case note(String)
    /// What a person asked for, and the local time of it.
    case prompt(String, time: String)
    /// The agent's words.
    case said(String)
    case thought(String)

    package struct Outcome: Sendable, Hashable {
        package let text: String
        package let isError: Bool
        /// Words about the subagent that the call started; empty if it started none.
        package let subagent: String

        package init(_ text: String, isError: Bool = false, subagent: String = "") {
            self.text = text
            self.isError = isError
            self.subagent = subagent
        }
    }
}

/// Parts of the transcript that is followed. `unfinished` are the calls that have no result yet.
package enum TranscriptNews: Sendable, Hashable {
    /// The session has no transcript, or none that can be read.
    case missing
    /// What was added.
    case more([TranscriptItem], unfinished: [TranscriptItem])
    /// The end of the transcript, in place of what is known of it.
    case page([TranscriptItem], unfinished: [TranscriptItem])
}

/// The transcript of one session, as far as it is here.
struct FollowedTranscript: Sendable {
    enum State: Sendable, Hashable {
        case asked, missing, shown
    }

    /// Empty while none is followed.
    let session: String
    /// Rises when parts are taken away or replaced: rows that were made of them count no more.
    private(set) var generation: Int
    private(set) var state = State.asked
    private(set) var items: [TranscriptItem] = []
    private(set) var unfinished: [TranscriptItem] = []
    /// True once the connection is lost on which news came.
    var isStale = false

    /// Parts that are kept at most.
    private static let most = 2000

    init(session: String = "", generation: Int = 0) {
        self.session = session
        self.generation = generation
    }

    mutating func take(_ news: TranscriptNews) {
        switch news {
        case .missing: if state == .asked { state = .missing }
        case .more(let items, let unfinished):
            self.items += items
            self.unfinished = unfinished
            guard self.items.count > Self.most else { return }
            self.items.removeFirst(Self.most / 2)
            generation += 1
        case .page(let items, let unfinished):
            (self.items, self.unfinished, state) = (items, unfinished, .shown)
            generation += 1
        }
    }
}
