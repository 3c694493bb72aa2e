package import Core

/// Learns the directories of sessions from their hooks.
package protocol SessionPlaces: Sendable {
    /// Called on the loop for each hook, before the broker gets it; never waits.
    func note(_ call: HookCall)
}
