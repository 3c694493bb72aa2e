/// The answer links that a configured channel may be sent, and its destination.
package struct LinkGrant: Sendable, Hashable {
    package let verbs: Set<Decision>
    /// SHA-256 of the channel's address and secrets: another topic or token is another destination.
    package let destination: [UInt8]

    package init(_ verbs: Set<Decision>, destination: [UInt8]) {
        self.verbs = verbs
        self.destination = destination
    }

    /// Returns true if the channel, as it is configured now, may be sent this link.
    package func covers(_ link: AnswerLink) -> Bool {
        verbs.contains(link.verb) && link.destination == destination
    }
}
