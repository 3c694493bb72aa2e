/// The parsed command line.
struct Options {
    /// The action of the relay without an answer.
    enum OnFailure {
        /// Print nothing: Claude Code asks as it does without cdev.
        case proceed
        /// Refuse the tool call.
        case block
    }

    enum Wish {
        case relay, help, version
        case misuse(StaticString)
    }

    var wish = Wish.relay
    /// The path of the daemon's socket; nil if the environment determines it.
    var socket: UnsafePointer<CChar>?
    var onFailure = OnFailure.proceed
    /// True if to send the event without waiting for an answer.
    var observe = false
    var limits = Limits()

    /// - Parameter arguments: the process's own, which are valid as long as the process; the first is its name.
    init(_ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int) {
        var at = 1
        while at < count, let word = arguments[at] {
            let value = at + 1 < count ? arguments[at + 1].map { UnsafePointer($0) } : nil
            at += take(UnsafePointer(word), value)
        }
    }

    /// Parses an option with its possible value. Returns how many of the two words were consumed.
    private mutating func take(_ word: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) -> Int {
        switch true {
        case System.equals(word, "--help"): wish = .help
        case System.equals(word, "--version"): wish = .version
        case System.equals(word, "--observe"): observe = true
        default:
            guard let value else {
                wish = .misuse("an unknown option, or one without its value")
                return 1
            }
            return take(word, value: value)
        }
        return 1
    }

    private mutating func take(_ word: UnsafePointer<CChar>, value: UnsafePointer<CChar>) -> Int {
        switch true {
        case System.equals(word, "--socket"): setSocket(value)
        case System.equals(word, "--on-failure"): setOnFailure(value)
        case System.equals(word, "--first-byte-ms"): set(\.firstByte, value)
        case System.equals(word, "--search-ms"): set(\.search, value)
        case System.equals(word, "--grace-ms"): set(\.grace, value)
        case System.equals(word, "--total-ms"): set(\.total, value)
        default:
            wish = .misuse("an unknown option")
            return 1
        }
        return 2
    }

    private mutating func setSocket(_ value: UnsafePointer<CChar>) {
        if value.pointee == 0 { wish = .misuse("--socket needs a path") }
        socket = value
    }

    private mutating func setOnFailure(_ value: UnsafePointer<CChar>) {
        if System.equals(value, "block") {
            onFailure = .block
        } else if System.equals(value, "continue") {
            onFailure = .proceed
        } else {
            wish = .misuse("--on-failure is continue or block")
        }
    }

    private mutating func set(_ limit: WritableKeyPath<Limits, Milliseconds>, _ value: UnsafePointer<CChar>) {
        var number: Milliseconds = 0
        var at = value
        while let digit = ResponseHead.digit(UInt8(bitPattern: at.pointee)), number < Limits().total {
            number = number * 10 + Milliseconds(digit)
            at += 1
        }
        guard at > value, at.pointee == 0 else {
            wish = .misuse("a time is a number of milliseconds up to 86250000")
            return
        }
        limits[keyPath: limit] = min(number, Limits().total)
    }
}
