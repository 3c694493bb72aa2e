/// Which answer links a channel of the configuration may be sent, and where it leads.
package struct LinkGrant: Sendable, Hashable {
    package let verbs: Set<Decision>
    /// SHA-256 of its address and its secrets: another topic or token is another destination.
    package let destination: [UInt8]

    package init(_ verbs: Set<Decision>, destination: [UInt8]) {
        self.verbs = verbs
        self.destination = destination
    }

    /// Whether the channel as it is now would be sent this link.
    package func covers(_ link: AnswerLink) -> Bool {
        verbs.contains(link.verb) && link.destination == destination
    }
}
