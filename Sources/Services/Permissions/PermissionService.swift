package import Core

/// The broker, as approvers see it.
package protocol PermissionService: Sendable {
    func pending(sessionID: String?) async -> [PermissionRequest]
    func request(id: String) async -> PermissionRequest?
    func respond(
        _ responses: [PermissionResponse], by caller: Caller
    ) async -> [Result<PermissionReceipt, ResponseFailure>]
    /// Returns once no start can bring the rule back.
    func revokeRule(id: String) async throws(RevocationFailure) -> SessionRule
    func rules(sessionID: String?) async -> [SessionRule]
}

extension Broker: PermissionService {}
