package import Core

/// The reasons for which a link gives no answer; the messages are for the person who opened it.
package enum AnswerLinkFailure: Error {
    case ended(Resolution?)
    case refused(String)
    case unknown
    case unrecorded(String)
    case used
}

/// Gives the one answer that an answer link is for. The secret is the only proof; the caller is the channel that the
/// link was sent to.
package struct AnswerLinkService: Sendable {
    private let links: AnswerLinks
    private let broker: Broker

    package init(links: AnswerLinks, broker: Broker) {
        self.links = links
        self.broker = broker
    }

    /// The link of this secret, used or not; `nil` for a secret that was never given out.
    package func link(_ secret: String) -> AnswerLink? { links.link(secret) }

    /// The answer that the link would give, and the open request; changes nothing.
    package func look(_ secret: String) async throws(AnswerLinkFailure) -> (verb: Decision, request: PermissionRequest)
    {
        guard let link = links.link(secret) else { throw .unknown }
        guard link.usedAt == nil else { throw .used }
        guard let request = await broker.request(id: link.requestID), request.isOpen, request.opening == link.opening
        else { throw .ended(nil) }
        return (link.verb, request)
    }

    /// Gives the answer. Only an accepted answer uses up the link.
    package func answer(_ secret: String) async throws(AnswerLinkFailure) -> PermissionReceipt {
        switch links.begin(secret) {
        case .failure(.unknown): throw .unknown
        case .failure(.used): throw .used
        case .success(let link):
            let outcome = await give(link)
            await links.end(link, isAccepted: (try? outcome.get()) != nil)
            return try outcome.get()
        }
    }

    private func give(_ link: AnswerLink) async -> Result<PermissionReceipt, AnswerLinkFailure> {
        guard let request = await broker.request(id: link.requestID), request.opening == link.opening else {
            return .failure(.ended(nil))
        }
        guard request.isOpen else { return .failure(.ended(request.resolution)) }
        guard !request.isUnverified, request.confirm == nil else { return .failure(.unknown) }
        let answer = PermissionResponse(
            target: .request(id: link.requestID), decision: link.verb, opening: link.opening)
        let caller = Caller(identity: .link(channel: link.channel), rights: [.decide])
        switch await broker.respond([answer], by: caller).first {
        case .success(let receipt): return .success(receipt)
        case .failure(.decided(let resolution)): return .failure(.ended(resolution))
        case .failure(.invalid(let message)), .failure(.refused(let message)), .failure(.unconfirmed(let message, _)):
            return .failure(.refused(message))
        case .failure(.unrecorded(let message)): return .failure(.unrecorded(message))
        case .failure(.ambiguousToolUse), .failure(.notOpen), .failure(.unknown), nil: return .failure(.ended(nil))
        }
    }
}
