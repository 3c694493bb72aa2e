package import Core

/// Starts the children of run sessions on this machine, and finds them again.
package protocol ChildHost: Sendable {
    /// Starts a child. Its reports come in order, never before this returns.
    func start(_ launch: ChildLaunch, _ report: @escaping ChildReporter) async throws(ChildFailure) -> any RunningChild
    /// Finds the child that an earlier daemon started, and reads on behind the last line that was taken in. `nil` if it
    /// has ended; what it wrote until then is reported first, and then its end.
    func adopt(_ session: RunSession, _ report: @escaping ChildReporter) async -> (any RunningChild)?
    /// Removes the files of a session that has ended.
    func clear(session: String) async
}

/// Takes what a child reports. Returns once that was taken in, with the offset of the child's output before which nothing
/// is read again, by this daemon or the next.
package typealias ChildReporter = @Sendable ([ChildReport]) async -> Int64

package enum ChildReport: Sendable, Hashable {
    /// The child has ended, and all its lines were reported.
    case ended(ChildExit)
    case line(ChildEvent, ChildOutput?, at: SpoolPlace)
    /// The child wrote more than is kept.
    case tooMuch
}

/// The reason for which a child was not started, for people.
package struct ChildFailure: Error, Sendable, Hashable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// A child that lives.
package protocol RunningChild: Sendable {
    var process: ProcessIdentity { get }
    /// Queues what is to be written. False where the child has ended, or reads nothing.
    func write(_ input: ChildInput) -> Bool
    func signal(_ signal: ChildSignal)
    /// What the line at a place asks; `nil` where it cannot be read again.
    func event(at place: SpoolPlace) async -> ChildEvent?
    /// Leaves the child to the next daemon.
    func release()
}
