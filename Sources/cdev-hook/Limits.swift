/// The relay's time limits and its limit of sizes. Options change the time limits, for tests. The relay's clock, like
/// Claude Code's, stops while the machine sleeps, and the daemon's does not: so the daemon decides first, then the
/// relay gives up, then Claude Code.
struct Limits {
    /// The time that the daemon may take to accept the request, and again until the first byte of its answer.
    var firstByte: Milliseconds = 2_000
    /// The time for which the relay tries to reconnect to a daemon that went away, each time.
    var search: Milliseconds = 5_000
    /// The time that an answer may take beyond the daemon's deadline, or beyond its first byte where it sent no
    /// deadline.
    var grace: Milliseconds = 30_000
    /// The longest life of the relay: above the daemon's longest deadline (86,100 s) with its grace, below Claude
    /// Code's wait for the hook (86,400 s).
    var total: Milliseconds = 86_250_000
    /// The time that a hook which only reports waits until the daemon has handled it, at events where the daemon needs
    /// the sender or may have words for the model.
    static let observed: Milliseconds = 1_000
    /// The pause between two attempts to reconnect.
    let lookEvery: Milliseconds = 50

    /// The most bytes of input, and of an answer's body: the daemon's own limit for a body.
    static let body = 10 * 1024 * 1024
}
