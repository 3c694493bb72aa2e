/// Identifies a process until the machine boots again: a pid alone can be another process's later.
package struct ProcessIdentity: Sendable, Hashable {
    package let pid: Int32
    /// In the kernel's own unit.
    package let startTime: UInt64

    package init(pid: Int32, startTime: UInt64) {
        self.pid = pid
        self.startTime = startTime
    }
}
