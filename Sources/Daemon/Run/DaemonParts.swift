import Agents
package import Core
package import Host
package import Services
package import Store
package import Transport

/// The parts and limits that a test replaces.
package struct DaemonParts: Sendable {
    package var judge: any RuleJudge
    package var claudeRules: any ClaudeRules
    package var processes = ProcessTable(listed: ClaudeRegistry().startTime)
    package var limits = ServerLimits()
    package var eventLimits = EventQueueLimits()
    package var storeOptions = StoreOptions()
    /// Nil for the machine's clock.
    package var clock: (any TimeSource)?
    package var echoesLog = false
    /// Whether the file systems on the way to a path are this machine's own, whose every change the kernel tells.
    package var answersPromptly: @Sendable (String) -> Bool = { DiskPaths.answersPromptly(at: $0) }

    /// How many files the kernel is asked to tell of; the others are looked at every second.
    package var mostWatched = 1000

    package init(judge: any RuleJudge, claudeRules: any ClaudeRules) {
        self.judge = judge
        self.claudeRules = claudeRules
    }
}
