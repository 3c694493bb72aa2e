import Core
import Foundation
import OrderedJSON
import TestSupport
import Testing
import Wire

/// Clients that ask over HTTP and wait for the next event.
@Suite(.timeLimit(.minutes(1))) struct PollTests {
    private func poll(_ test: TestDaemon, _ sequence: Int, wait: Int = 25, more: JSONObject = [:]) async throws
        -> TestPeer
    {
        var params: JSONObject = ["sequence": .number(JSONNumber(sequence)), "wait": .number(JSONNumber(wait))]
        for (key, value) in more { params[key] = value }
        let body = JSON.object(["jsonrpc": "2.0", "id": 1, "method": "events/since", "params": .object(params)])
        let peer = try test.local()
        try await peer.send(httpRequest("POST", "/rpc", body.serialized()))
        return peer
    }

    private func next(_ test: TestDaemon) async throws -> Int {
        try await test.call("events/since")["next_sequence"]?.intValue ?? 0
    }

    private func approvers(_ test: TestDaemon, toBe count: Int) async throws {
        while try await test.call("permission/stats")["approvers"]?.intValue != count { try Task.checkCancellation() }
    }

    @Test func answersAllWhoWaitOnceSomethingHappens() async throws {
        let test = try await TestDaemon()
        let sequence = try await next(test)
        var peers: [TestPeer] = []
        for _ in 0..<50 { peers.append(try await poll(test, sequence)) }
        try await approvers(test, toBe: 1)
        let relay = try await test.relay(bash("touch x"))
        for peer in peers {
            let result = try await peer.response().json?["result"]
            #expect(result?["events"]?.arrayValue?.isEmpty == false && result?["gap"] == false)
            #expect(result?["next_sequence"]?.intValue ?? 0 > sequence)
        }
        let open = try await test.call("permission/pending")["requests"]?.arrayValue
        #expect(open?.count == 1, "it is held for those who poll")
        try await relay.leave()
        await test.daemon.stop()
    }

    @Test func answersWithNothingInTheEnd() async throws {
        let test = try await TestDaemon()
        let sequence = try await next(test)
        let peer = try await poll(test, sequence, wait: 20)
        try await approvers(test, toBe: 1)
        while !test.clock.isSet(in: 20) { try await letOthersRun() }
        test.clock.advance(by: 20)
        let result = try await peer.response().json?["result"]
        #expect(result?["events"] == [] && result?["next_sequence"]?.intValue == sequence)
        #expect(try await test.call("permission/stats")["approvers"] == 1, "it will ask again")
        test.clock.advance(by: 10)
        try await approvers(test, toBe: 0)
        await test.daemon.stop()
    }

    @Test func noticesWhoLeaves() async throws {
        let test = try await TestDaemon()
        let peer = try await poll(test, try await next(test))
        try await approvers(test, toBe: 1)
        try await peer.leave()
        repeat {
            test.clock.advance(by: 10)
            try await letOthersRun()
        } while try await test.call("permission/stats")["approvers"] != 0
        await test.daemon.stop()
    }

    @Test func whoOnlyWatchesIsNobodyToAsk() async throws {
        let test = try await TestDaemon()
        let peer = try await poll(test, try await next(test), more: ["approver": false])
        let relay = try await test.relay(bash("touch x"))
        #expect(try await relay.response().json == [:], "passed")
        #expect(try await peer.response().json?["result"]?["events"]?.arrayValue?.isEmpty == false)
        await test.daemon.stop()
    }

    @Test func aStopEndsTheWait() async throws {
        let test = try await TestDaemon()
        let peer = try await poll(test, try await next(test))
        try await approvers(test, toBe: 1)
        async let stopped: Void = test.daemon.stop()
        #expect(try await peer.response().json?["result"]?["events"] == [])
        await stopped
    }

    @Test func aRevokedDeviceIsSentAway() async throws {
        let test = try await TestDaemon()
        let token = try await test.call("token/create", ["name": "phone"])["token"]?.stringValue ?? ""
        // That the token was made is an event too, which is written down a moment later.
        while try await test.call("events/since")["events"] == [] { try Task.checkCancellation() }
        let sequence = try await next(test)
        let peer = try test.network()
        let body = #"{"jsonrpc":"2.0","id":1,"method":"events/since","params":{"sequence":\#(sequence),"wait":25}}"#
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
        try await peer.send(httpRequest("POST", "/rpc", body, host: test.host, headers: headers))
        try await approvers(test, toBe: 1)
        _ = try await test.call("token/revoke", ["name": "phone"])
        #expect(try await peer.response().json?["error"]?["code"] == -32600)
        #expect(try await test.call("permission/stats")["approvers"] == 0)
        await test.daemon.stop()
    }

    @Test func aWebSocketThatWaitsCanAnswerMeanwhile() async throws {
        let test = try await TestDaemon()
        let peer = try await test.approver()
        let sequence = try await next(test)
        let wait = #"{"jsonrpc":"2.0","id":7,"method":"events/since","params":{"sequence":\#(sequence),"wait":25}}"#
        try await peer.say(wait)
        try await peer.say(#"{"jsonrpc":"2.0","id":8,"method":"status/health"}"#)
        #expect(try await peer.message(id: 8)["result"]?["status"] == "ok")
        try await peer.say(wait.replacing("\"id\":7", with: "\"id\":9"))
        #expect(try await peer.message(id: 7)["result"]?["events"] == [], "one at a time")
        let relay = try await test.relay(bash("touch x"))
        #expect(try await peer.message(id: 9)["result"]?["events"]?.arrayValue?.isEmpty == false)
        try await relay.leave()
        await test.daemon.stop()
    }
}
