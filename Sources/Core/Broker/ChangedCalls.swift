import OrderedJSON

/// The calls that a person changed at their dialogs and that have not run yet, as far as is known: only the end of such a
/// call brings words for the model.
struct ChangedCalls {
    private struct Call: Hashable {
        let session: ExactString
        let toolUse: ExactString

        init(_ session: String, _ toolUse: String) {
            self.session = ExactString(session)
            self.toolUse = ExactString(toolUse)
        }
    }

    private var calls: Set<Call> = []

    var isEmpty: Bool { calls.isEmpty }

    /// Notes an ended request, if its call was changed.
    mutating func note(_ request: PermissionRequest) {
        guard request.isChangedAtDialog else { return }
        calls.insert(Call(request.sessionID, request.toolUseID))
    }

    mutating func ran(_ toolUse: String, session: String) {
        guard !calls.isEmpty else { return }
        calls.remove(Call(session, toolUse))
    }

    mutating func forget(session: String) {
        guard !calls.isEmpty else { return }
        let session = ExactString(session)
        calls = calls.filter { $0.session != session }
    }
}

extension PermissionRequest {
    /// True where a person changed the call at its dialog.
    var isChangedAtDialog: Bool {
        event == .permissionRequest && resolution?.decision == .allow && resolution?.update != nil
    }
}

extension BrokerState {
    /// True where the end of some call may bring words for the model.
    package var awaitsChangedCall: Bool { !changed.isEmpty }
}
