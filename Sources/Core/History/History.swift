import Text

/// One request as the audit log shows it.
package struct HistoryEntry: Sendable, Hashable {
    /// The whole request, with its whole input.
    package let request: PermissionRequest
    /// The resolutions of each opening, oldest first.
    package let endings: [Ending]
    /// The cursor right after this entry.
    package let cursor: HistoryCursor

    package init(request: PermissionRequest, endings: [Ending], cursor: HistoryCursor) {
        self.request = request
        self.endings = endings
        self.cursor = cursor
    }
}

/// A resolution of one opening.
package struct Ending: Sendable, Hashable {
    package let opening: Int
    /// 0, and one more with each correction; the last of an opening counts.
    package let revision: Int
    package var resolution: Resolution

    package init(opening: Int, revision: Int = 0, resolution: Resolution) {
        self.opening = opening
        self.revision = revision
        self.resolution = resolution
    }

    /// True if an earlier resolution of this opening had another decision or resolver.
    package var isCorrection: Bool { revision > 0 }
}

/// Selects a part of the audit log.
package struct HistoryQuery: Sendable, Hashable {
    /// Searched in the tool's name, its input, the directory, the ids, and the resolver, reason and message of every
    /// resolution; ASCII letters match either case.
    package var text: String?
    package var sessionID: String?
    /// The decision of the last resolution.
    package var decision: Decision?
    /// Requests made at this time or later.
    package var since: Timestamp?
    /// Requests made before this time.
    package var before: Timestamp?
    package var limit: Int
    /// The `next` of an earlier page.
    package var cursor: HistoryCursor?

    package init(
        text: String? = nil, sessionID: String? = nil, decision: Decision? = nil, since: Timestamp? = nil,
        before: Timestamp? = nil, limit: Int = 100, cursor: HistoryCursor? = nil
    ) {
        self.text = text
        self.sessionID = sessionID
        self.decision = decision
        self.since = since
        self.before = before
        self.limit = limit
        self.cursor = cursor
    }
}

/// A place in the audit log. Many requests may share one time; the number tells them apart.
package struct HistoryCursor: Sendable, Hashable {
    package let createdAt: Timestamp
    package let number: Int64

    package init(createdAt: Timestamp, number: Int64) {
        self.createdAt = createdAt
        self.number = number
    }
}

package struct HistoryPage: Sendable, Hashable {
    /// Newest first.
    package let entries: [HistoryEntry]
    /// The start of the next page; `nil` after the last.
    package let next: HistoryCursor?

    package init(entries: [HistoryEntry], next: HistoryCursor?) {
        self.entries = entries
        self.next = next
    }
}
