/// A held request, with what tells where its call runs.
package struct HeldCall: Sendable {
    package let request: PermissionRequest
    /// The place that rules evaluate the call by.
    package let place: RulePlace
    /// True if a hook of this machine was sent in its session; else a device chose the place.
    package let isOfThisMachine: Bool
}
