import Core
import Dialects
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing
import Wire

/// Keeps what a client is sent; takes it when the test says so.
private final class Sent: ClientSocket {
    let answers = Events<JSON>()
    let batches = Events<JSON>()
    private let untaken = Locked<[@Sendable () -> Void]>([])

    /// The client reads what was sent.
    func take() {
        for left in untaken.withLock({ untaken in
            defer { untaken = [] }
            return untaken
        }) { left() }
    }

    func send(_ message: WebSocketBroadcast, left: @escaping @Sendable () -> Void) {
        untaken.withLock { $0.append(left) }
        send(message)
    }

    func send(_ message: WebSocketBroadcast) {
        // The head of a short frame has two or four bytes.
        for length in [2, 4] where message.frame.count > length {
            guard let answer = try? JSON(parsing: Array(message.frame[length...])) else { continue }
            if answer.arrayValue == nil { answers.add(answer) } else { batches.add(answer) }
            return
        }
    }

    func close(code: UInt16, reason: String) {}
}

/// One client can have so many readings at work and waiting, and no more.
@Suite(.timeLimit(.minutes(1))) struct ReadingLimitTests {
    private let events = Events<String>()

    @Test func furtherReadingsAreAnsweredAtOnce() async throws {
        let client = try GitConnection(EndlessGit(events: events)).client
        let sent = Sent()
        await client.opened(sent)
        for number in 1...100 { await client.received(.text(call("git/status", ["workspace_id": "w"], id: number))) }
        let refused = try await sent.answers.next(36)
        #expect(refused.compactMap { $0["id"]?.intValue }.sorted() == Array(65...100))
        #expect(refused.allSatisfy { $0["error"]?["code"] == -32603 })
        #expect(refused.allSatisfy { $0["error"]?["message"]?.stringValue?.contains("ask again") == true })
        // Two readings, each of the place of the repository and its filters; the others wait.
        #expect(try await events.next(4) == Array(repeating: "began", count: 4))
        await client.closed(WebSocketClosure(code: 1006, reason: "", isByPeer: true))
        #expect(try await events.next(4) == Array(repeating: "ended", count: 4))
    }

    /// While a client does not read its answers, no more are made for it.
    @Test func readingsWaitUntilAnswersAreTaken() async throws {
        let client = try GitConnection(NoGit()).client
        let sent = Sent()
        await client.opened(sent)
        for number in 1...5 { await client.received(.text(call("git/log", ["workspace_id": "w"], id: number))) }
        _ = try await sent.answers.next(2)
        // What needs no turn is answered all the same.
        await client.received(.text(call("git/stage", ["workspace_id": "w", "paths": ["a"]], id: 6)))
        #expect(try await sent.answers.next()["id"] == 6)
        sent.take()
        _ = try await sent.answers.next(2)
        sent.take()
        _ = try await sent.answers.next(1)
        await client.closed(WebSocketClosure(code: 1006, reason: "", isByPeer: true))
    }

    /// A batch has one turn for all its readings: it would else wait for its own answer.
    @Test func aBatchHasOneTurn() async throws {
        let client = try GitConnection(NoGit()).client
        let sent = Sent()
        await client.opened(sent)
        let calls = (1...5).map { call("git/log", ["workspace_id": "w"], id: $0) }
        await client.received(.text("[" + calls.joined(separator: ",") + "]"))
        #expect(try await sent.batches.next().arrayValue?.count == 5)
        await client.closed(WebSocketClosure(code: 1006, reason: "", isByPeer: true))
    }
}
