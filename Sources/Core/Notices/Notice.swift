/// A notification to people who are not connected, before a channel gives it its form.
package struct Notice: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case asked(PermissionRequest)
        /// A call ran although it was denied.
        case denyIgnored(IgnoredDeny)
        /// A device's right ends within a day.
        case deviceEnds(name: String)
        case ended(PermissionRequest, Resolution)
        /// Claude is idle and waits for its user.
        case idle(sessionID: String, cwd: String)
        /// A notification of a reported session, for the apps that show those.
        case reported(ReportedNotice)
        /// Claude ended its turn.
        case stopped(sessionID: String, cwd: String)
        /// A test of the channels by the user.
        case test
    }

    package let subject: Subject
    /// A notice replaces an earlier one of the same tag.
    package let tag: String
    /// The number of open requests of the session, this one included.
    package let waiting: Int
    /// Shown without a sound.
    package var isSilent: Bool
    /// No further attempt is made from then on; for Web Push and APNs also the end of the message's time to live.
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
        case .denyIgnored, .deviceEnds, .idle, .reported, .stopped, .test: nil
        }
    }

    package var sessionID: String? {
        switch subject {
        case .asked(let request), .ended(let request, _): request.sessionID
        case .denyIgnored(let deny): deny.sessionID
        case .idle(let id, _), .stopped(let id, _): id
        case .reported(let reported): reported.kept.sessionID
        case .deviceEnds, .test: nil
        }
    }

    /// True for the notice of an end, which only replaces one that was shown.
    package var isClosing: Bool {
        if case .ended = subject { true } else { false }
    }
}

/// One attempt to deliver a notice to a channel.
package struct NoticeDelivery: Sendable, Hashable {
    /// Unique in this process; the outcome is reported under this number.
    package let number: UInt64
    package let channel: String
    package let notice: Notice
}

/// The outcome of an attempt.
package enum NoticeOutcome: Sendable, Hashable {
    case delivered
    /// - isFinal: Another attempt would fail too.
    /// - retryAfter: Seconds that the server asks to wait before the next attempt.
    case failed(String, isFinal: Bool, retryAfter: Double? = nil)
    /// The push service says that the subscription no longer exists.
    case gone
}

/// An action for the caller after an input of `NoticeState`.
package enum NoticeEffect: Sendable, Hashable {
    case deliver(NoticeDelivery)
    /// Delete the channel.
    case drop(channel: String)
}
