import Glibc
import OrderedJSON

/// A Chromium without a window and with a profile of its own, spoken to by the Chrome DevTools Protocol over a socket
/// that nobody else can reach: JSON, each message ended by a zero byte. It ends, with all its processes, at the latest
/// with this value, and by itself where the socket is closed.
final class Chromium {
    private let socket: StreamSocket
    private let child: Child
    private var buffer: [UInt8] = []
    /// Events that were read while something else was waited for, oldest first.
    private var events: [JSON] = []
    private var lastID = 0
    /// How long anything may take, in milliseconds.
    private static let patience: Int32 = 20_000

    init(_ bench: Bench) throws {
        guard let program = bench.chromium else {
            throw BenchError("Chromium was not found; name it with --chromium PATH or install it (Debian: chromium)")
        }
        let home = try bench.makeDirectory("b")
        let environment = Launch.plainEnvironment.merging(["HOME": home, "TMPDIR": home]) { $1 }
        let launch = Launch(program, Self.words(home), environment: environment)
        let (ours, theirs) = try StreamSocket.pair()
        socket = ours
        child = try launch.start(devTools: theirs.descriptor)
    }

    private static func words(_ home: String) -> [String] {
        let words = [
            "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(home)/profile", "--no-first-run",
            "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-extensions", "--disable-crash-reporter", "--disable-dev-shm-usage",
            // What is measured is a page that somebody looks at, and there are several.
            "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
            "--disable-background-timer-throttling",
        ]
        // Root may not use the sandbox; no page here is anybody else's.
        return words + (geteuid() == 0 ? ["--no-sandbox"] : [])
    }

    /// - Parameter page: the session of the page it is for; nil for the browser.
    func call(_ method: String, _ parameters: JSON = [:], page: String? = nil) throws -> JSON {
        lastID += 1
        var message: JSONObject = [
            "id": .init(integerLiteral: lastID), "method": .string(method), "params": parameters,
        ]
        if let page { message["sessionId"] = .string(page) }
        var bytes: [UInt8] = []
        JSON.object(message).write(into: &bytes)
        try socket.send(bytes + [0])
        while true {
            let answer = try read(method)
            guard answer["id"]?.intValue == lastID else {
                if answer["method"] != nil { events.append(answer) }
                continue
            }
            guard let result = answer["result"] else { throw BenchError("\(method): \(answer.serialized())") }
            return result
        }
    }

    /// The next event of this name in this page; those before it are dropped.
    func event(_ name: String, page: String) throws -> JSON {
        while true {
            let event = events.isEmpty ? try read(name) : events.removeFirst()
            if event["method"]?.stringValue == name, event["sessionId"]?.stringValue == page {
                return event["params"] ?? nil
            }
        }
    }

    /// The next message.
    private func read(_ awaited: String) throws -> JSON {
        while true {
            if let end = buffer.firstIndex(of: 0) {
                defer { buffer.removeFirst(end + 1) }
                return try JSON(parsing: Array(buffer[..<end]))
            }
            guard socket.hasInput(within: Self.patience) else { throw BenchError("Chromium is silent: \(awaited)") }
            guard socket.receive(into: &buffer) else { throw BenchError("Chromium has left: \(awaited)") }
        }
    }

    func stop() {
        child.stop()
    }
}
