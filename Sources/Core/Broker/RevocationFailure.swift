/// The reason why the revocation of a rule is not confirmed.
package enum RevocationFailure: Error, Sendable, Hashable {
    /// No rule of this id is in force.
    case unknown(id: String)
    /// The rule is out of force in this process, and its deletion is not written yet.
    case unwritten(SessionRule)
}
