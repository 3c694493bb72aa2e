package import Core

/// The part of the broker that approvers use.
package protocol PermissionService: Sendable {
    func pending(sessionID: String?) async -> [PermissionRequest]
    func request(id: String) async -> PermissionRequest?
    func respond(
        _ responses: [PermissionResponse], by caller: Caller
    ) async -> [Result<PermissionReceipt, ResponseFailure>]
    /// Sets the gate of one session, or with `nil` the configuration's. Returns the gate in force once that is written.
    func setGate(_ gate: Policy.Gate?, sessionID: String) async throws(GateFailure) -> Policy.Gate
    /// Revokes a rule. Returns once no restart can bring it back.
    func revokeRule(id: String) async throws(RevocationFailure) -> SessionRule
    func rules(sessionID: String?) async -> [SessionRule]
}

extension Broker: PermissionService {}
