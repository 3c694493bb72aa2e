import Host

extension Command {
    static let acp = Command(
        "acp", summary: "speak the Agent Client Protocol with an editor, on standard input and output",
        details: """
            Zed, JetBrains, Neovim, Emacs and other editors start this as an agent. The sessions are the daemon's: what one
            asks may be answered in the editor or anywhere else, and it goes on when the editor is closed. Where the daemon
            was started with `cdev start` and has ended, it is started again. People need no such command: see `cdev run`.
            """
    ) { invocation in
        let places = try Places(invocation)
        var pipe = EditorPipe(places: places, start: { startDaemon(invocation, places) })
        try pipe.run()
    }

    /// Starts a daemon that was started in the background and not stopped. What the start says belongs to nobody's
    /// protocol.
    private static func startDaemon(_ invocation: Invocation, _ places: Places) {
        guard let program = Executable.path else { return }
        _ = ChildProcess.run(
            [program, "start", "--again", "--home", places.home],
            environment: invocation.environment, seconds: 15)
    }
}
