import Core

/// Calls that a person allowed when they were announced. If Claude asks once more beside its dialog, that allow counts
/// there too, for one dialog. A dialog does not say which call it is about: of two that look the same either may use it,
/// but no more dialogs are answered so than calls were allowed.
struct Allowances {
    private struct Allowance {
        let look: Look
        var isUsed = false
    }

    private var byCall: [Int: Allowance] = [:]
    /// Calls that were asked about in a dialog.
    private(set) var dialogs: Set<Int> = []

    init(dialogs: Set<Int> = []) {
        self.dialogs = dialogs
    }

    mutating func add(_ call: Int, _ look: Look) {
        if byCall[call]?.look != look { byCall[call] = Allowance(look: look) }
    }

    mutating func noteDialog(_ call: Int) {
        dialogs.insert(call)
    }

    /// Whether the dialog of a call may be allowed unasked; uses up what allows it.
    mutating func use(_ call: Int, _ look: Look) -> Bool {
        if byCall[call]?.look == look {
            byCall[call]?.isUsed = true
            return true
        }
        let others = byCall.filter { $0.value.look == look && !$0.value.isUsed && dialogs.contains($0.key) }
        guard let other = others.keys.min() else { return false }
        byCall[other]?.isUsed = true
        byCall[call] = Allowance(look: look, isUsed: true)
        return true
    }
}
