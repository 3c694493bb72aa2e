/// The relay that Claude Code's hooks run: sends its standard input to the daemon and prints the daemon's answer, or
/// nothing. It never exits with 2, which would make Claude Code refuse the call.
@main
enum Main {
    static func main() {
        System.ignoreBrokenPipes()
        let options = Options(CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        switch options.wish {
        case .relay: System.exit(options.observe ? observe(options) : ask(options))
        case .help: System.exit(print(help))
        case .version: System.exit(print("cdev-hook 0.1.0\n"))
        case .misuse(let what): System.exit(refuse(.misuse(what), options))
        }
    }

    private static func observe(_ options: Options) -> Int32 {
        var request = Request()
        let started = System.now()
        guard let path = socketPath(options),
            request.readBody(from: 0, until: started + options.limits.total) == nil, request.addHead() == nil
        else { return 0 }
        let event = request.event
        let waits = event == .clear || event == .toolEnd
        var limits = options.limits
        if waits { limits.total = min(limits.total, Limits.observed) }
        var relay = Relay(path: path, limits: limits, started: started)
        guard waits else {
            relay.tell(request)
            return 0
        }
        guard relay.tellUntilAnswered(request, wantsWordsOnly: event == .toolEnd), event == .toolEnd else { return 0 }
        // Nothing is printed for an answer without words: `{}`.
        return relay.withAnswer { $0.count > 2 ? write($0, to: 1) : 0 }
    }

    private static func ask(_ options: Options) -> Int32 {
        var request = Request()
        let started = System.now()
        if let failure = request.readBody(from: 0, until: started + options.limits.total) ?? request.addHead() {
            return fail(failure, request, options)
        }
        guard let path = socketPath(options) else { return fail(.noSocketPath, request, options) }
        var relay = Relay(path: path, limits: options.limits, started: started)
        if let failure = relay.ask(request) { return fail(failure, request, options) }
        return relay.withAnswer { write($0, to: 1) }
    }

    private static func fail(_ failure: Failure, _ request: borrowing Request, _ options: Options) -> Int32 {
        _ = failure.report(options.onFailure).withBytes { write($0, to: 2) }
        guard options.onFailure == .block else { return 0 }
        return failure.refusal(of: request.event).withBytes { write($0, to: 1) }
    }

    /// Reports wrong usage. Exit status 1 is no decision for Claude Code, but a refusal on stdout still counts.
    private static func refuse(_ failure: Failure, _ options: Options) -> Int32 {
        var options = options
        if options.observe { options.onFailure = .proceed }
        var request = Request()
        if options.onFailure == .block {
            _ = request.readBody(from: 0, until: System.now() + options.limits.total)
        }
        _ = fail(failure, request, options)
        return 1
    }

    /// The path of the daemon's socket; nil if it is unknown. With `--socket` no environment variable is read, because
    /// a project's settings can set variables.
    private static func socketPath(_ options: Options) -> Buffer? {
        var path = Buffer(capacity: 256)
        if let given = options.socket ?? System.environment("CDEV_SOCKET") {
            path.append(given)
        } else if let home = System.environment("CDEV_HOME") {
            path.append(home)
            path.append("/cdev.sock")
        } else if let home = System.environment("HOME") {
            path.append(home)
            path.append("/.cdev/cdev.sock")
        } else {
            return nil
        }
        return path
    }

    private static func print(_ text: StaticString) -> Int32 {
        write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), to: 1)
    }

    /// Writes all bytes. Returns the exit status: 0, or 1 if the reader has closed its end.
    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32 {
        guard var at = bytes.baseAddress else { return 0 }
        let end = at + bytes.count
        while at < end {
            switch System.writeSome(descriptor, from: at, count: end - at) {
            case .bytes(let count): at += count
            case .wouldBlock: _ = System.wait(descriptor, for: .writing, until: .max)
            case .end, .broken: return 1
            }
        }
        return 0
    }
}
