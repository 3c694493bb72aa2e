import Core
package import Services

/// The services that this dialect is made with.
package struct OpenAIServices: Sendable {
    let runs: any RunSessionService
    let workspaces: any WorkspaceService
    let subscribers: Subscribers<ChatListener>
    let devices: DeviceRegister
    let rates: DeviceRates
    let clock: any TimeSource
    let log: any Log
    let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// The daemon's URL for people, without a final `/`.
    let base: @Sendable () -> String
    /// Answers errands of front ends; `nil` where those are refused.
    let completions: (any PlainCompletions)?
    /// When the daemon started.
    let startedAt: Uptime
    let bodies = BodyReader()

    package init(
        runs: any RunSessionService, workspaces: any WorkspaceService, subscribers: Subscribers<ChatListener>,
        devices: DeviceRegister, rates: DeviceRates, clock: any TimeSource, log: any Log,
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8], base: @escaping @Sendable () -> String,
        completions: (any PlainCompletions)?
    ) {
        self.runs = runs
        self.workspaces = workspaces
        self.subscribers = subscribers
        self.devices = devices
        self.rates = rates
        self.clock = clock
        self.log = log
        self.sha256 = sha256
        self.base = base
        self.completions = completions
        startedAt = clock.uptime
    }
}
