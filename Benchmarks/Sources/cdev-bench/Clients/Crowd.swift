import Glibc
import OrderedJSON

/// Many callers that are held, and the approver who lets them go.
final class Crowd {
    private let daemon: DaemonProcess
    private let approver: Approver
    private var callers: [StreamSocket] = []
    private var requests: [String] = []

    init(_ daemon: DaemonProcess) throws {
        self.daemon = daemon
        approver = try daemon.approver()
        try daemon.allow(sessions: ["probe"], by: approver)
    }

    /// Connects callers that speak the relay's bytes.
    func hold(_ count: Int, perSession: Int) throws {
        for number in 0..<count {
            let session = "held-\(number / perSession)"
            let body = HookInput.bash("touch file-\(number)", session: session, id: "call-\(number)")
            let caller = try StreamSocket.unix(daemon.socket)
            try caller.send(HTTPText.post("/hooks/claude", body, fields: HTTPText.relayFields(number)))
            callers.append(caller)
            if number % 100 == 99 { try takeCards(100) }
        }
        try takeCards(count % 100)
    }

    /// Waits for the cards of so many calls.
    func takeCards(_ count: Int) throws {
        for _ in 0..<count {
            guard let id = try approver.event("event/pty_permission")["request_id"]?.stringValue else {
                throw BenchError("a card without an id")
            }
            requests.append(id)
        }
    }

    /// Answers all in lists of a thousand. Returns when the last caller has read its answer.
    func release() throws {
        let poller = Poller()
        for (number, caller) in callers.enumerated() { poller.add(caller, number: number) }
        poller.add(approver.socket, number: -1)
        let lists = stride(from: 0, to: requests.count, by: 1000).map { start in
            JSON.array(
                requests[start..<min(start + 1000, requests.count)].map {
                    ["request_id": .string($0), "decision": "allow"]
                })
        }
        requests = []
        var texts = callers.map { _ in [UInt8]() }
        var waiting = callers.count
        var unsent = lists[...]
        var replies = 0
        var reply = 0
        while waiting > 0 || replies < lists.count {
            if reply == 0, let list = unsent.popFirst() {
                reply = try approver.send("permission/respond", ["responses": list])
            }
            for number in try poller.wait() {
                if number < 0 {
                    if try approver.readReply(reply) {
                        replies += 1
                        reply = 0
                    }
                } else {
                    try read(number, &texts[number])
                    guard texts[number].contains("\"allow\"") else { continue }
                    poller.remove(callers[number])
                    waiting -= 1
                }
            }
        }
        callers = []
    }

    private func read(_ number: Int, _ text: inout [UInt8]) throws {
        guard callers[number].receive(into: &text) else { throw BenchError("a held call was closed") }
    }
}
