/// One process for as long as the machine runs: a pid alone may be somebody else's by now.
package struct ProcessIdentity: Sendable, Hashable {
    package let pid: Int32
    /// In the kernel's own unit.
    package let startTime: UInt64

    package init(pid: Int32, startTime: UInt64) {
        self.pid = pid
        self.startTime = startTime
    }
}
