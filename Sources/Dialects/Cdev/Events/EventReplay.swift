import Core
import OrderedJSON
import Wire

/// A page of the replay as one result of `events/since`: whole notifications, as many as fit.
struct EventReplay {
    private(set) var events: [JSON] = []
    private var nextSequence: Int64
    private let gap: Bool
    private var hasMore: Bool

    /// - Parameter room: Bytes for the events.
    init(_ page: EventPage, room: Int) {
        (nextSequence, gap, hasMore) = (page.nextSequence, page.gap, page.hasMore)
        var left = room
        for stored in page.events {
            guard let event = Self.notification(of: stored) else { continue }
            // One byte more for the comma.
            left -= event.length + 1
            guard left >= 0 else {
                // An event that fills a frame leaves no room for the result around it, so it is cut further.
                if events.isEmpty, let event = Self.notification(of: stored, within: FrameCeiling.answer - 1024) {
                    events.append(event)
                    nextSequence = stored.sequence + 1
                } else {
                    nextSequence = stored.sequence
                }
                hasMore = page.hasMore || nextSequence < page.nextSequence
                break
            }
            events.append(event)
        }
    }

    var result: JSON {
        [
            "events": .array(events), "next_sequence": .count(nextSequence), "gap": .bool(gap), "more": .bool(hasMore),
        ]
    }

    /// - Parameter limit: Bytes of the notification.
    private static func notification(of event: StoredEvent, within limit: Int = FrameCeiling.bytes) -> JSON? {
        switch event {
        case .notification(_, let text): (try? JSON(parsing: text)).map { shortened($0, within: limit) }
        case .record(let record): EventEncoder.notification(of: record, within: limit).json
        }
    }

    private static func shortened(_ notification: JSON, within limit: Int) -> JSON {
        guard var object = notification.objectValue, let params = object["params"]?.objectValue else {
            return notification
        }
        object["params"] = .object(Trimmer.fit(params, into: limit))
        return .object(object)
    }
}
