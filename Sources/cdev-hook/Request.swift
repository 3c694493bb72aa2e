/// The HTTP request to the daemon: head and body in one buffer, so that one write sends it. Every retry sends the same
/// bytes.
struct Request: ~Copyable {
    /// Bytes reserved before the body for the head, which is always shorter (see `fields`).
    private static let headRoom = 12 * 1024

    private var text: Buffer
    private var begin = headRoom

    init() {
        text = Buffer(capacity: 64 * 1024)
        text.append(zeros: Self.headRoom)
    }

    /// Passes the bytes to send to `body`.
    borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.withBytes { body(UnsafeBufferPointer(rebasing: $0[begin...])) }
    }

    /// The event of the input, even if the input was not read to its end. An event missing in the input is taken from
    /// Grok's environment variable.
    var event: JSONText.Event {
        let told = text.withBytes { JSONText.event($0.span.extracting(Self.headRoom..<$0.count)) }
        guard told == .unknown, let name = System.environment("GROK_HOOK_EVENT") else { return told }
        return System.equals(name, "pre_tool_use") ? .grokPreToolUse : .other
    }

    private var bodyLength: Int { text.count - Self.headRoom }

    /// Reads the hook's input to its end. Returns nil, or a failure: `inputMissing` also where reading fails or times
    /// out.
    mutating func readBody(from descriptor: Int32, until deadline: Milliseconds) -> Failure? {
        while bodyLength <= Limits.body {
            switch text.fill(from: descriptor) {
            case .bytes: continue
            case .end: return bodyLength == 0 ? .inputMissing : nil
            case .wouldBlock:
                guard System.wait(descriptor, for: .reading, until: deadline) else { return .inputMissing }
            case .broken: return .inputMissing
            }
        }
        return .inputTooLarge
    }

    /// Writes the head before the body, with a new random Cdev-Request. Returns nil, or why there is none.
    mutating func addHead() -> Failure? {
        guard let id = System.random() else { return .noRandomness }
        var head = Buffer(capacity: 2048)
        head.append("POST /hooks/claude HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        head.append("Connection: close\r\nContent-Length: ")
        head.append(decimal: bodyLength)
        head.append("\r\nCdev-Request: ")
        withUnsafeBytes(of: id) { for byte in $0 { head.append(hexadecimal: byte) } }
        head.append("\r\n")
        Self.fields(into: &head)
        head.append("\r\n")
        text.overwrite(endingAt: Self.headRoom, with: head)
        begin = Self.headRoom - head.count
        return nil
    }

    /// Appends a field for each fact about the session in the environment. The limits keep the head below 10 KiB.
    private static func fields(into head: inout Buffer) {
        field(&head, "Cdev-Attended: ", System.environment("CLAUDE_CODE_SESSION_ATTENDED"), atMost: 64)
        field(&head, "Cdev-Entrypoint: ", System.environment("CLAUDE_CODE_ENTRYPOINT"), atMost: 64)
        field(&head, "Cdev-Claude-Pid: ", System.environment("CLAUDE_PID"), atMost: 64)
        field(&head, "Cdev-Project: ", System.environment("CLAUDE_PROJECT_DIR"), atMost: 8192)
        field(&head, "Cdev-Shell: ", System.environment("SHELL"), atMost: 1024)
    }

    /// Appends a field. All bytes of its value but visible ASCII are percent-encoded (RFC 3986), so that no value can
    /// end its line. The field is left out if the variable is unset or its encoded value is longer than `limit` bytes.
    private static func field(
        _ head: inout Buffer, _ name: StaticString, _ value: UnsafePointer<CChar>?, atMost limit: Int
    ) {
        guard var at = value else { return }
        let start = head.count
        head.append(name)
        let valueStart = head.count
        while at.pointee != 0, head.count - valueStart <= limit {
            append(UInt8(bitPattern: at.pointee), to: &head)
            at += 1
        }
        guard head.count - valueStart <= limit else { return head.truncate(to: start) }
        head.append("\r\n")
    }

    private static func append(_ byte: UInt8, to head: inout Buffer) {
        if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") { return head.append(byte) }
        head.append(UInt8(ascii: "%"))
        head.append(hexadecimal: byte)
    }
}
