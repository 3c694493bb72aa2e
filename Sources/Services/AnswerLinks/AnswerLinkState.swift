package import Core

/// The answer links. Requests that ended are remembered for a while, so that a late answer is told of the end, and no
/// link is made for an ended request.
package struct AnswerLinkState: Sendable {
    fileprivate struct RequestOpening: Hashable {
        let id: String
        let opening: Int
    }

    private var links: [[UInt8]: AnswerLink]
    /// Hashes of the links of each open request, the oldest first.
    private var made: [RequestOpening: [[UInt8]]] = [:]
    /// The requests that ended last, with their links' hashes.
    private var ended: [RequestOpening: [[UInt8]]] = [:]
    private var order: [RequestOpening] = []
    /// Links whose answers are on the way to the broker.
    private var busy: Set<[UInt8]> = []

    /// The most links for one request, channel and decision. Each attempt at a delivery makes a new link, because an
    /// earlier message may have arrived; beyond this number the oldest link is removed.
    package static let mostPerVerb = 8
    package static let mostEnded = 1024

    package init(_ links: [AnswerLink]) {
        self.links = Dictionary(links.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })
        for link in links.sorted(by: { $0.createdAt < $1.createdAt }) {
            made[RequestOpening(of: link), default: []].append(link.hash)
        }
    }

    package func link(_ hash: [UInt8]) -> AnswerLink? { links[hash] }

    /// True if its request is open, as far as is known here.
    package func isAlive(_ link: AnswerLink) -> Bool { made[RequestOpening(of: link)]?.contains(link.hash) == true }

    /// - Returns: Hashes of the links to delete; nil if the request has ended, and nothing was added.
    package mutating func add(_ link: AnswerLink, at now: Timestamp) -> [[UInt8]]? {
        let key = RequestOpening(of: link)
        guard ended[key] == nil else { return nil }
        let expired = links.values.filter { $0.expiresAt <= now }.map(\.hash)
        for hash in expired { remove(hash) }
        let others = (made[key] ?? []).filter {
            links[$0]?.channel == link.channel && links[$0]?.verb == link.verb
        }
        let surplus = Array(others.dropLast(Self.mostPerVerb - 1))
        for hash in surplus { remove(hash) }
        links[link.hash] = link
        made[key, default: []].append(link.hash)
        return expired + surplus
    }

    private mutating func remove(_ hash: [UInt8]) {
        guard let link = links.removeValue(forKey: hash) else { return }
        let key = RequestOpening(of: link)
        made[key]?.removeAll { $0 == hash }
        if made[key]?.isEmpty == true { made[key] = nil }
    }

    package mutating func begin(_ link: AnswerLink) -> Bool {
        links[link.hash]?.usedAt == nil && busy.insert(link.hash).inserted
    }

    /// - Returns: The link to be written, with the time of its use; nil if nothing is to be written.
    package mutating func end(_ link: AnswerLink, isAccepted: Bool, at now: Timestamp) -> AnswerLink? {
        busy.remove(link.hash)
        guard isAccepted else { return nil }
        links[link.hash]?.usedAt = now
        return isAlive(link) ? links[link.hash] : nil
    }

    /// - Returns: Hashes of the links to delete.
    package mutating func ended(_ request: PermissionRequest) -> [[UInt8]] {
        let key = RequestOpening(id: request.id, opening: request.opening)
        guard ended[key] == nil else { return [] }
        let dead = made.removeValue(forKey: key) ?? []
        ended[key] = dead
        order.append(key)
        if order.count > Self.mostEnded {
            for hash in ended.removeValue(forKey: order.removeFirst()) ?? [] { links[hash] = nil }
        }
        return dead
    }
}

extension AnswerLinkState.RequestOpening {
    fileprivate init(of link: AnswerLink) {
        self.init(id: link.requestID, opening: link.opening)
    }
}
