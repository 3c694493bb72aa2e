import OrderedJSON

extension Command {
    static let watch = Command(
        "watch", summary: "answer requests in this terminal as they come",
        details: """
            While it runs, requests are held for you; ? shows the keys. Where there is no terminal to draw on it prints a
            line for what comes and goes, and takes no keys.
            """,
        options: [CommandOption("--quiet", nil, "no bell for a new request")]
    ) { invocation in
        let places = try Places(invocation)
        // If the daemon cannot be reached at the start, that is an error, as in other commands; a connection lost later
        // is made again.
        _ = try places.client.call("status/health")
        let environment = invocation.environment
        let isQuiet = invocation.has("--quiet")
        guard let terminal = WatchTerminal(environment: environment) else {
            var lines = WatchLines(socketPath: places.socket, isQuiet: isQuiet, environment: environment)
            return lines.run()
        }
        var loop = try WatchLoop(terminal, socketPath: places.socket, isQuiet: isQuiet, environment: environment)
        loop.run()
    }
}
