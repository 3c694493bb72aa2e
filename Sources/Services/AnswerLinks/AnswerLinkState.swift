package import Core

/// Which links there are. The ends of questions are remembered for a while, so that who comes too late is told so, and a
/// link is not made for what has ended.
package struct AnswerLinkState: Sendable {
    fileprivate struct Question: Hashable {
        let id: String
        let opening: Int
    }

    private var links: [[UInt8]: AnswerLink]
    /// Of each open question, the oldest first.
    private var made: [Question: [[UInt8]]] = [:]
    /// The last ones that ended, with their links.
    private var ended: [Question: [[UInt8]]] = [:]
    private var order: [Question] = []
    /// Their answers are on the way to the broker.
    private var busy: Set<[UInt8]> = []

    /// Links of one question, channel and verb: each attempt at a delivery has its own, as an earlier one may have
    /// arrived. Beyond these the oldest dies.
    package static let mostPerVerb = 8
    package static let mostEnded = 1024

    package init(_ links: [AnswerLink]) {
        self.links = Dictionary(links.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })
        for link in links.sorted(by: { $0.createdAt < $1.createdAt }) {
            made[Question(of: link), default: []].append(link.hash)
        }
    }

    package func link(_ hash: [UInt8]) -> AnswerLink? { links[hash] }

    /// Whether its question is open, as far as is known.
    package func isAlive(_ link: AnswerLink) -> Bool { made[Question(of: link)]?.contains(link.hash) == true }

    /// - Returns: The links that are dead now; nil where the question has ended, and nothing was added.
    package mutating func add(_ link: AnswerLink, at now: Timestamp) -> [[UInt8]]? {
        let question = Question(of: link)
        guard ended[question] == nil else { return nil }
        let expired = links.values.filter { $0.expiresAt <= now }.map(\.hash)
        for hash in expired { remove(hash) }
        let others = (made[question] ?? []).filter {
            links[$0]?.channel == link.channel && links[$0]?.verb == link.verb
        }
        let surplus = Array(others.dropLast(Self.mostPerVerb - 1))
        for hash in surplus { remove(hash) }
        links[link.hash] = link
        made[question, default: []].append(link.hash)
        return expired + surplus
    }

    private mutating func remove(_ hash: [UInt8]) {
        guard let link = links.removeValue(forKey: hash) else { return }
        let question = Question(of: link)
        made[question]?.removeAll { $0 == hash }
        if made[question]?.isEmpty == true { made[question] = nil }
    }

    package mutating func begin(_ link: AnswerLink) -> Bool {
        links[link.hash]?.usedAt == nil && busy.insert(link.hash).inserted
    }

    /// - Returns: The link as it is to be written down.
    package mutating func end(_ link: AnswerLink, isAccepted: Bool, at now: Timestamp) -> AnswerLink? {
        busy.remove(link.hash)
        guard isAccepted else { return nil }
        links[link.hash]?.usedAt = now
        return isAlive(link) ? links[link.hash] : nil
    }

    /// - Returns: The links that are dead now.
    package mutating func ended(_ request: PermissionRequest) -> [[UInt8]] {
        let question = Question(id: request.id, opening: request.opening)
        guard ended[question] == nil else { return [] }
        let dead = made.removeValue(forKey: question) ?? []
        ended[question] = dead
        order.append(question)
        if order.count > Self.mostEnded {
            for hash in ended.removeValue(forKey: order.removeFirst()) ?? [] { links[hash] = nil }
        }
        return dead
    }
}

extension AnswerLinkState.Question {
    fileprivate init(of link: AnswerLink) {
        self.init(id: link.requestID, opening: link.opening)
    }
}
