/// How long the relay waits for what. The options that change them are there for tests. Its clock stands still while the
/// machine sleeps, as Claude Code's does and the daemon's does not: so the daemon decides first, then the relay gives up,
/// then Claude Code.
struct Limits {
    /// For the daemon to take the request, and then for the first byte of its answer: after that it counts as failed.
    var firstByte: Milliseconds = 2_000
    /// How long a daemon that went away during a held call is looked for, each time.
    var search: Milliseconds = 5_000
    /// What an answer may take beyond the deadline the daemon gave, or beyond its first byte where it gave none.
    var grace: Milliseconds = 30_000
    /// The longest life of the relay: above the daemon's longest deadline (86,100 s) with its grace, below Claude Code's
    /// wait for the hook (86,400 s).
    var total: Milliseconds = 86_250_000
    /// Between two looks for a daemon that went away.
    let lookEvery: Milliseconds = 50

    /// Bytes of input and of an answer's body: the daemon's own ceiling for a body.
    static let body = 10 * 1024 * 1024
}
