/// The activity of a run session, for people.
package enum RunPhase: String, Sendable, Hashable, CaseIterable {
    case asking, ended, idle, parked, running, starting, stopping
}

/// The progress of a run session's process.
package enum RunLife: Sendable, Hashable {
    /// No process any more, and none will be started.
    case ended(RunEnd)
    case ending(RunEnding)
    /// No process; the next prompt starts one that goes on in the conversation.
    case parked
    /// The process takes prompts.
    case ready
    /// The process was started, or is being started.
    case starting
}

/// The reason for which a run session ended.
package enum RunEnd: Sendable, Hashable {
    /// It was dropped for newer ones.
    case forgotten
    /// Something else than the daemon wrote to its agent.
    case intruded
    /// The agent did not start; its own words, or ours.
    case neverStarted(String)
    /// It wrote more than is kept.
    case outputTooLong
    case stopped
}

/// The end of a process that was asked for.
package struct RunEnding: Sendable, Hashable {
    package enum Purpose: Sendable, Hashable {
        case end(RunEnd)
        /// The process hung, and the conversation goes on with another.
        case park
    }

    /// The last step that was taken.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case asked, killed, terminated
    }

    package var purpose: Purpose
    package var step: Step

    package init(_ purpose: Purpose, step: Step = .asked) {
        self.purpose = purpose
        self.step = step
    }
}

/// Times of a run session. Only `lastActivity` and `readTo` are stored.
package struct RunClocks: Sendable, Hashable {
    package internal(set) var lastActivity: Timestamp
    /// The byte of the child's output behind the last line that was taken in.
    package internal(set) var readTo: Int64
    /// The time at which the next step of a start or an end is due.
    var due: Uptime?
    var interrupt: InterruptWait?
    var probe: PromptProbe?
    /// Since when the session is idle.
    var idleSince: Uptime?
    /// True if the disk is given back only what the child wrote once it has ended.
    var keepsMuch = false
    /// The number of the last request that was written to this child.
    var lastRequest: Int64 = 0
    /// The number behind which those of this daemon begin; the largest in a new one that has not found the child.
    var firstRequest: Int64 = 0
    var traffic = ChildTraffic()

    package init(lastActivity: Timestamp, readTo: Int64 = 0) {
        self.lastActivity = lastActivity
        self.readTo = readTo
    }
}

/// Prompts of which nothing tells that the child has them, and the id of a request that was written behind them: once it
/// is answered, the child has read what was written before.
struct PromptProbe: Sendable, Hashable {
    let request: String
    let prompts: Set<String>
}

/// An interrupt that the child has not answered.
struct InterruptWait: Sendable, Hashable {
    /// The time at which the interrupt becomes a signal.
    let due: Uptime
    /// The id of the last request.
    let request: String
}
