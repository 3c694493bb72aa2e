/// Something people are told where they are, whatever carries it.
package struct Notice: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case asked(PermissionRequest)
        /// A call ran though it was denied.
        case denyIgnored(IgnoredDeny)
        case ended(PermissionRequest, Resolution)
        /// Claude has nothing to do and waits for its user.
        case idle(sessionID: String, cwd: String)
        /// Claude ended its turn.
        case stopped(sessionID: String, cwd: String)
        /// The user wants to know whether it arrives.
        case test
    }

    package let subject: Subject
    /// A notice takes the place of an earlier one of this tag.
    package let tag: String
    /// Open questions of the session, this one included.
    package let waiting: Int
    /// Shown without a sound.
    package var isSilent: Bool
    /// Worth nothing from then on.
    package let expires: Timestamp

    package init(subject: Subject, tag: String, waiting: Int = 0, isSilent: Bool, expires: Timestamp) {
        self.subject = subject
        self.tag = tag
        self.waiting = waiting
        self.isSilent = isSilent
        self.expires = expires
    }

    package var request: PermissionRequest? {
        switch subject {
        case .asked(let request), .ended(let request, _): request
        case .denyIgnored, .idle, .stopped, .test: nil
        }
    }

    package var sessionID: String? {
        switch subject {
        case .asked(let request), .ended(let request, _): request.sessionID
        case .denyIgnored(let deny): deny.sessionID
        case .idle(let id, _), .stopped(let id, _): id
        case .test: nil
        }
    }

    /// It only takes the place of one that was shown.
    package var isClosing: Bool {
        if case .ended = subject { true } else { false }
    }
}

/// One attempt at bringing a notice to a channel.
package struct NoticeDelivery: Sendable, Hashable {
    /// Unique in this process; its outcome comes back under this number.
    package let number: UInt64
    package let channel: String
    package let notice: Notice
}

/// What became of an attempt.
package enum NoticeOutcome: Sendable, Hashable {
    case delivered
    /// - isFinal: Another attempt would fail alike.
    /// - retryAfter: Seconds the other side wants to be left alone.
    case failed(String, isFinal: Bool, retryAfter: Double? = nil)
    /// The other side says that there is nobody any more.
    case gone
}

/// What is to be done after an input of `NoticeState`.
package enum NoticeEffect: Sendable, Hashable {
    case deliver(NoticeDelivery)
    /// The channel is to be forgotten.
    case drop(channel: String)
}
