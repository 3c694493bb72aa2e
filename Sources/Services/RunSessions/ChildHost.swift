package import Core

/// Starts the children of run sessions on this machine, and finds them again.
package protocol ChildHost: Sendable {
    /// Starts a child. Its reports come in order, never before this returns.
    func start(_ launch: ChildLaunch, _ report: @escaping ChildReporter) async throws(ChildFailure) -> any RunningChild
    /// Finds the child that an earlier daemon started, and reads on behind the last line that was taken in. `nil` if it
    /// has ended; what it wrote until then is reported first, and then its end.
    func adopt(_ session: RunSession, _ report: @escaping ChildReporter) async -> (any RunningChild)?
    /// True if a process that is none of `ours` works in the agent's conversation.
    func hasWriter(_ conversation: String, but ours: Set<Int32>) async -> Bool
    /// Ends what a child started and left: each of an agent's commands has a session and a group of its own.
    func endRest(of session: String, run: Int) async
    /// Looks for the agent's program; `nil` while too much is looked for.
    func check() async -> AgentCheck?
    /// The process of that number; `nil` for none.
    func identity(of pid: Int32) async -> ProcessIdentity?
    /// Removes the files of a session that has ended.
    func clear(session: String) async
}

/// Takes what a child reports. Returns once that was taken in, with the offset of the child's output before which nothing
/// is read again, by this daemon or the next.
package typealias ChildReporter = @Sendable ([ChildReport]) async -> Int64

package enum ChildReport: Sendable, Hashable {
    /// The child has ended, and all its lines were reported.
    /// `said`: the end of what it complained about.
    case ended(ChildExit, said: String? = nil)
    /// `bytes`: the line itself; empty where it is too long to be read.
    case line(ChildEvent, ChildOutput?, at: SpoolPlace, bytes: [UInt8])
    /// Much of the disk is taken by what the child wrote, and cannot be given back as long as it lives.
    case muchKept
    /// The child wrote more than is kept.
    case tooMuch
}

package enum QueuedInput: Sendable, Hashable {
    /// The child has ended, or reads nothing.
    case refused
    case waits
    /// All its bytes are where the child reads them, whatever becomes of the daemon.
    case written
}

/// How far a prompt came that is to be written no further.
package enum RecalledPrompt: Sendable, Hashable {
    /// The child has read all that was written to it.
    case read
    /// Something waits until the child reads it, which may be of the prompt.
    case unread
    /// Nothing of it was written.
    case unwritten
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
    /// `nil` for one that an earlier daemon started, which wrote it down.
    var projectSettings: ProjectSettings? { get }
    /// Queues what is to be written.
    /// - Parameter later: Called once all its bytes are where the child reads them, if this returns that it waits.
    func write(_ input: ChildInput, later: @escaping @Sendable () -> Void) -> QueuedInput
    func signal(_ signal: ChildSignal)
    /// Writes no more of a prompt, and tells how far it came.
    func recall(_ prompt: String) -> RecalledPrompt
    /// Reads a question again that was open; `nil` where it cannot be read.
    func question(_ open: OpenChildRequest) async -> ChildRequest?
    /// Leaves the child to the next daemon.
    func release()
}
