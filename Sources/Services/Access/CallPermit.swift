package import Core

/// The right of the caller that a task works for, asked again behind each wait: a device may have been revoked meanwhile,
/// and what it asked for must not be done once that is confirmed.
package struct CallPermit: Sendable {
    /// `nil` where the task works for nobody that can be revoked. A task that works on for others sets it to `nil`.
    @TaskLocal package static var current: CallPermit?

    private let holds: @Sendable () -> Bool

    package init(_ holds: @escaping @Sendable () -> Bool) { self.holds = holds }

    /// True if the caller was revoked since its call came.
    package static var isRevoked: Bool { current.map { !$0.holds() } ?? false }
}

extension DeviceRegister {
    /// The permit of a call; `nil` for a caller that is no device.
    package func permit(of caller: Caller) -> CallPermit? {
        caller.deviceID.map { id in CallPermit { self.admits(id) } }
    }
}
