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
        return (link.verb, try await request(of: link))
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

    /// The open request to which the link may give its answer.
    private func request(of link: AnswerLink) async throws(AnswerLinkFailure) -> PermissionRequest {
        guard let request = await broker.request(id: link.requestID), request.opening == link.opening else {
            throw .ended(nil)
        }
        guard request.isOpen else { throw .ended(request.resolution) }
        guard !request.isUnverified else { throw .unknown }
        guard link.verb == .allow else { return request }
        // The configuration may have changed since the link was sent, or the daemon was restarted.
        if request.confirm != nil {
            throw .refused(
                "this call has to be confirmed with a word now, which a link cannot do; answer it in a client")
        }
        if request.input.bytesElsewhere != nil { throw .refused(ResponseFailure.notShown) }
        return request
    }

    private func give(_ link: AnswerLink) async -> Result<PermissionReceipt, AnswerLinkFailure> {
        do throws(AnswerLinkFailure) { _ = try await request(of: link) } catch { return .failure(error) }
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
