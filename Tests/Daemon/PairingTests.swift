import Core
import Foundation
import OrderedJSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct PairingTests {
    @Test func letsADeviceInByItsLink() async throws {
        let test = try await TestDaemon()
        let watcher = try await test.approver()
        let offer = try await test.call("pair/start", ["name": "my phone"])
        let token = try #require(offer["token"]?.stringValue)
        #expect(offer["url"]?.stringValue == "http://\(test.host)/#pair=\(token)")
        #expect(token.hasPrefix("cdev_p_") && token.utf8.count == 29 && offer["expires_in"] == 120)
        let answer = try await test.exchange(offer["token"])
        #expect(answer.status.code == 200 && answer.headers["cache-control"] == "no-store")
        let device = try PairedDevice(answer.json)
        #expect(device.access.hasPrefix("cdev_s_") && device.refresh.hasPrefix("cdev_r_"))
        #expect(answer.json?["token_type"] == "Bearer" && answer.json?["expires_in"] == 900)
        #expect(answer.json?["access_token_expires_at"] == "2026-11-20T10:45:00Z")
        #expect(answer.json?["refresh_token_expires_at"] == "2026-11-27T10:30:00Z")
        #expect(answer.json?["device_name"] == "my phone" && answer.json?["rights"] == ["decide", "read", "report"])
        let event = try await watcher.message("event/device_paired")
        #expect(event["device_id"]?.stringValue == device.id && event["name"] == "my phone")
        #expect(try await test.status(device) == 200)
        let list = try await test.rpc(device, "device/list").json?["result"]?["devices"]?.arrayValue
        #expect(list?.count == 1 && list?.first?["own"] == true && list?.first?["last_address"] == "127.0.0.1")
        let offers = try await test.call("pair/pending")["offers"]?.arrayValue
        #expect(offers?.first?["state"] == "used" && offers?.first?["device_id"]?.stringValue == device.id)
        await test.daemon.stop()
        let kept = try Data(contentsOf: URL(fileURLWithPath: test.home.file("cdev.db")))
        let log = try test.home.read("server.log")
        for secret in [token, device.access, device.refresh] {
            #expect(kept.range(of: Data(secret.utf8)) == nil && !log.contains(secret))
        }
    }

    @Test func oneTokenForTwoBrowsersAtOnce() async throws {
        let test = try await TestDaemon()
        let token = try await test.call("pair/start")["token"]
        let codes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await test.exchange(token).status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.sorted() == [200] + Array(repeating: 410, count: 7))
        #expect(try await test.call("device/list")["count"] == 1)
        await test.daemon.stop()
    }

    @Test func aLinkEndsAfterTwoMinutesAndWithTheDaemon() async throws {
        let test = try await TestDaemon()
        let first = try await test.call("pair/start")["token"]
        test.clock.advance(by: 120)
        let late = try await test.exchange(first)
        #expect(late.status.code == 410 && late.json?["error"]?.stringValue?.contains("cdev pair") == true)
        let second = try await test.call("pair/start")["token"]
        await test.daemon.stop()
        let next = try await TestDaemon(home: test.home, clock: test.clock)
        #expect(try await next.exchange(second).status.code == 401)
        await next.daemon.stop()
    }

    @Test func asksAtTheMachineAboutATypedCode() async throws {
        let test = try await TestDaemon()
        let watcher = try await test.approver()
        let offer = try await test.call("pair/start", ["rights": "view"])
        let code = try #require(offer["code"]?.stringValue)
        let ticket = try await test.post("/api/pair/code", ["code": .string(code.uppercased())]).json
        #expect(ticket?["expires_in"] == 120 && ticket?["expires_at"] == "2026-11-20T10:32:00Z")
        let waiting = try await test.exchange(ticket?["pairing_token"], name: "tablet\u{202E}\n")
        #expect(waiting.status.code == 202 && waiting.json?["status"] == "pending_approval")
        let id = try #require(waiting.json?["request_id"])
        let asked = try await watcher.message("event/pairing_requested")
        #expect(asked["request_id"] == id && asked["name"] == "tablet" && asked["address"] == "127.0.0.1")
        #expect(try await test.exchange(ticket?["pairing_token"]).json?["request_id"] == id)
        #expect(try await test.call("pair/pending")["requests"]?.arrayValue?.first?["access"] == "view")
        #expect(try await test.call("pair/approve", ["request_id": id])["name"] == "tablet")
        let answer = try await test.exchange(ticket?["pairing_token"])
        #expect(answer.status.code == 200 && answer.json?["rights"] == ["read"])
        #expect(answer.json?["device_name"] == "tablet")
        #expect(try await test.exchange(ticket?["pairing_token"]).status.code == 410)
        #expect(try await test.exchange(offer["token"]).status.code == 410, "one offer, one device")
        await test.daemon.stop()
    }

    @Test func aNoAtTheMachineIsANo() async throws {
        let test = try await TestDaemon()
        let offer = try await test.call("pair/start")
        let ticket = try await test.post("/api/pair/code", ["code": offer["code"] ?? ""]).json?["pairing_token"]
        let id = try await test.exchange(ticket).json?["request_id"] ?? ""
        let body = JSON.object(["request_id": id]).serialized()
        let no = try await test.ask("POST", "/api/auth/pairing/reject", body, headers: Self.json)
        #expect(no.status.code == 200)
        #expect(try await test.exchange(ticket).status.code == 403)
        #expect(try await test.ask("POST", "/api/auth/pairing/approve", body, headers: Self.json).status.code == 404)
        #expect(try await test.exchange(ticket).status.code == 403)
        await test.daemon.stop()
    }

    private static let json: HTTPHeaders = ["Content-Type": "application/json"]

    @Test func fiveWrongCodesMakeItVoid() async throws {
        let test = try await TestDaemon()
        let offer = try await test.call("pair/start")
        for left in (0..<5).reversed() {
            let answer = try await test.post("/api/pair/code", ["code": left == 2 ? "no code!" : "00000000"])
            #expect(answer.status.code == 401)
            #expect(answer.json?["error"]?.stringValue?.contains(left > 0 ? "\(left) more" : "void") == true)
        }
        let right = try await test.post("/api/pair/code", ["code": offer["code"] ?? ""])
        #expect(right.status.code == 410)
        #expect(try await test.exchange(offer["token"]).status.code == 200, "the link is not void")
        await test.daemon.stop()
    }

    @Test func aHundredGuessesAreTooMany() async throws {
        let test = try await TestDaemon()
        _ = try await test.call("pair/start")
        var codes: [Int] = []
        for _ in 0..<100 { codes.append(try await test.post("/api/pair/code", ["code": "zzzzzzzz"]).status.code) }
        #expect(codes.prefix(5) == [401, 401, 401, 401, 401] && codes[5..<10].allSatisfy { $0 == 410 })
        #expect(codes[10...].allSatisfy { $0 == 429 })
        #expect(try await test.call("device/list")["count"] == 0)
        test.clock.advance(by: 60)
        #expect(try await test.post("/api/pair/code", ["code": "zzzzzzzz"]).status.code == 410)
        await test.daemon.stop()
    }

    /// Behind a proxy everybody has its address; a client that only says where it comes from is not believed.
    @Test(arguments: [true, false]) func guessesAreCountedByAddressAndInAll(isProxyTrusted: Bool) async throws {
        let trust = isProxyTrusted ? #"{"trusted_proxies": ["127.0.0.1"]}"# : "{}"
        let test = try await TestDaemon(configuration: trust)
        func tries(_ count: Int, from host: Int) async throws -> [Int] {
            var codes: [Int] = []
            for _ in 0..<count {
                let from: HTTPHeaders = ["X-Forwarded-For": "203.0.113.\(host)"]
                codes.append(try await test.post("/api/pair/code", ["code": "zzzzzzzz"], headers: from).status.code)
            }
            return codes
        }
        let allowed = Array(repeating: 410, count: 10)
        #expect(try await tries(11, from: 1) == allowed + [429])
        for host in 2...6 {
            #expect(try await tries(10, from: host).allSatisfy { $0 == (isProxyTrusted ? 410 : 429) }, "\(host)")
        }
        #expect(try await tries(1, from: 7) == [429], "sixty a minute in all")
        test.clock.advance(by: 60)
        #expect(try await tries(1, from: 7) == [410])
        let from: HTTPHeaders = ["X-Forwarded-For": "203.0.113.9"]
        let token = try await test.call("pair/start")["token"] ?? ""
        _ = try await test.post("/api/auth/exchange", ["pairing_token": token], headers: from)
        let device = try await test.call("device/list")["devices"]?.arrayValue?.first
        #expect(device?["last_address"]?.stringValue == (isProxyTrusted ? "203.0.113.9" : "127.0.0.1"))
        await test.daemon.stop()
    }

    @Test func pagesOfOtherSitesShutNobodyOut() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        for site in ["cross-site", "same-site"] {
            let answer = try await test.askNetwork("GET", "/api/pair/info", headers: ["Sec-Fetch-Site": "\(site)"])
            #expect(answer.status.code == 403)
        }
        for _ in 0..<130 {
            #expect(try await test.askNetwork("GET", "/api/pair/qr").status.code == 403, "refused, not counted")
        }
        let own = try await test.askNetwork("GET", "/api/pair/info", headers: ["Sec-Fetch-Site": "same-origin"])
        #expect(own.status.code == 200)
        for _ in 0..<119 { _ = try await test.askNetwork("GET", "/api/pair/info") }
        #expect(try await test.askNetwork("GET", "/api/pair/info").status.code == 429)
        #expect(try await test.refresh(device.refresh).status.code == 200)
        await test.daemon.stop()
    }

    @Test func guessedTokensAreTooManyToo() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        var codes: [Int] = []
        for _ in 0..<120 { codes.append(try await test.exchange("cdev_p_guess").status.code) }
        #expect(codes.allSatisfy { $0 == 401 })
        #expect(try await test.exchange("cdev_p_guess").status.code == 429)
        let late = try await test.refresh("cdev_r_guess")
        #expect(late.status.code == 429 && late.headers["retry-after"] == "60")
        #expect(try await test.refresh(device.refresh).status.code == 200, "a right one is never one too many")
        #expect(try await test.status(device) == 200, "who is in stays in")
        await test.daemon.stop()
    }

    @Test func namesAreTakenOnce() async throws {
        let test = try await TestDaemon()
        let names = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<4 {
                let token = try await test.call("pair/start")["token"]
                group.addTask { try await test.exchange(token).json?["device_name"]?.stringValue }
            }
            return try await group.reduce(into: []) { $0.append($1 ?? "") }
        }
        #expect(names.sorted() == ["phone", "phone 2", "phone 3", "phone 4"])
        let unnamed = try await test.exchange(try await test.call("pair/start")["token"], name: "\u{202E}")
        #expect(unnamed.json?["device_name"] == "device")
        await test.daemon.stop()
    }

    @Test func clientsOfOtherServersFindTheirWay() async throws {
        let test = try await TestDaemon()
        let info = try await test.askNetwork("GET", "/api/pair/info").json
        #expect(
            info == [
                "ws": .string("ws://\(test.host)/ws"), "http": .string("http://\(test.host)"), "session": "",
                "repo": "", "auth_required": true,
            ])
        let local = try await test.ask("GET", "/api/pair/info?include_token=1").json
        #expect(try await test.exchange(local?["token"]).status.code == 200)
        let fresh = try await test.ask("POST", "/api/pair/refresh", "{}", headers: Self.json).json
        #expect(fresh?["expires_at"] == "2026-11-20T10:32:00Z")
        #expect(try await test.exchange(fresh?["token"]).status.code == 200)
        for query in ["", "?format=link", "?size=100", "?size=-1", "?size=99999999999999999999"] {
            let picture = try await test.ask("GET", "/api/pair/qr\(query)")
            #expect(picture.headers["content-type"] == "image/png" && picture.body.starts(with: [0x89, 0x50, 0x4E]))
        }
        let page = try await test.askNetwork("GET", "/pair")
        #expect(page.status.code == 200 && !page.text.contains("cdev_p_"), "the page holds no secret")
        await test.daemon.stop()
    }
}
