import Core
import Glibc
import Platform
import TerminalView

/// The loop of `cdev watch`: waits for the terminal, the daemon, signals and the clock, passes events to the model, and
/// draws.
struct WatchLoop {
    private let environment: [String: String]
    private let isQuiet: Bool
    private let signals: WatchSignals
    private var terminal: WatchTerminal
    private var connection: WatchConnection
    private var model: WatchModel
    private var screen: Screen
    private var writer: FrameWriter
    private var decoder = KeyDecoder()
    private var editor: EditorProcess?
    private var isOver = false

    /// Milliseconds after which an Escape that no byte followed counts as the key Escape.
    private static let escapeDelay: Int64 = 60

    init(
        _ terminal: WatchTerminal, socketPath: String, isQuiet: Bool, environment: [String: String]
    ) throws(CommandFailure) {
        self.environment = environment
        self.isQuiet = isQuiet
        self.terminal = terminal
        signals = try WatchSignals()
        connection = WatchConnection(socketPath: socketPath)
        model = WatchModel(hasEditor: EditorProcess.command(environment) != nil)
        screen = Screen(charset: Charset(environment: environment))
        writer = FrameWriter(hasColor: (environment["NO_COLOR"] ?? "").isEmpty)
    }

    mutating func run() {
        terminal.enter()
        while !isOver {
            draw()
            wait()
        }
        terminal.leave()
    }

    private mutating func draw() {
        guard editor == nil else { return }
        let frame = screen.frame(of: model, size: terminal.size, at: .now)
        terminal.write(writer.bytes(for: frame))
        model.drew(frame, at: .now)
    }

    private mutating func wait() {
        var files = [signals.descriptor, editor == nil ? STDIN_FILENO : -1, connection.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&files, nfds_t(files.count), Int32(timeout))
        let ready = files.map { count > 0 && $0.revents != 0 }
        // The daemon's messages come first, so that a key does not act on a card that has ended.
        if ready[2] { tell(connection.receive(at: Moment.now.uptime)) }
        tell(connection.attend(at: Moment.now.uptime))
        if ready[1] { type() } else if decoder.isPending { tell(decoder.flush().map { .key($0) }) }
        if ready[0] { for number in signals.take() { handle(number) } }
        tell([.tick])
    }

    /// Milliseconds to wait at most: until the next second, when the times left change.
    private var timeout: Int64 {
        let now = Moment.now
        let second = 1000 - now.wall.milliseconds % 1000
        let soonest = min(second, max(0, connection.wakeAt - now.uptime))
        return decoder.isPending ? min(Self.escapeDelay, soonest) : soonest
    }

    private mutating func type() {
        guard let bytes = terminal.read() else {
            isOver = true
            return
        }
        let keys = decoder.receive(bytes)
        tell(keys.count == 1 ? [.key(keys[0])] : keys.isEmpty ? [] : [.keys(keys)])
    }

    private mutating func tell(_ events: [WatchEvent]) {
        var events = events[...]
        while let event = events.popFirst() {
            for effect in model.handle(event, at: .now) { events += perform(effect) }
        }
    }

    private mutating func perform(_ effect: WatchEffect) -> [WatchEvent] {
        switch effect {
        case .bell: if !isQuiet, editor == nil { terminal.write([0x07]) }
        case .edit(let id, let text): return edit(id, text)
        case .quit: isOver = true
        case .redraw: writer.forget()
        case .suspend: suspend()
        default: return connection.perform(effect, at: Moment.now.uptime)
        }
        return []
    }

    private mutating func edit(_ id: String, _ text: String) -> [WatchEvent] {
        terminal.leave()
        editor = EditorProcess(text, requestID: id, environment: environment)
        guard editor == nil else { return [] }
        resume()
        return [.edited(requestID: id, text: nil)]
    }

    private mutating func handle(_ number: Int32) {
        switch number {
        case SIGCHLD: lookAtEditor()
        case SIGCONT, SIGWINCH: if editor == nil { resume() }
        case SIGTSTP: if editor == nil { suspend() }
        // The signal is for the editor, which runs in the same job.
        case SIGINT where editor != nil, SIGQUIT where editor != nil: break
        default:
            terminal.leave()
            signals.die(of: number)
        }
    }

    private mutating func lookAtEditor() {
        guard let editor else { return }
        switch editor.look() {
        case .done(let text):
            self.editor = nil
            resume()
            tell([.edited(requestID: editor.requestID, text: text)])
        case .running: break
        case .stopped: signals.stop()
        }
    }

    private mutating func resume() {
        terminal.enter()
        writer.forget()
    }

    /// Disconnects while suspended: nobody looks at this terminal, so no request must be held for it.
    private mutating func suspend() {
        terminal.leave()
        connection.close(at: Moment.now.uptime)
        tell([.lost("suspended", retryAt: Moment.now.uptime)])
        signals.stop()
        resume()
    }
}

extension Moment {
    static var now: Moment {
        Moment(wall: Timestamp(milliseconds: SystemTime.wall), uptime: SystemTime.awake)
    }
}
