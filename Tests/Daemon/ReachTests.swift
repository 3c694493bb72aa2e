import Core
import Crypto
import Daemon
import Foundation
import OrderedJSON
import TestSupport
import Testing
import Wire

/// How a daemon is reached from elsewhere, as far as one machine can show it.
@Suite(.timeLimit(.minutes(1))) struct ReachTests {
    private let hook = #"{"session_id":"s","hook_event_name":"SessionStart","cwd":"/p"}"#

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func theAuthorityIsMadeOnceAndIsForItsUserAlone() async throws {
        let home = try PrivateHome()
        var pins: Set<String> = []
        for start in 0..<3 {
            let test = try await TestDaemon(home: home, configuration: #"{"tls": "local-ca"}"#)
            let tls = try await test.call("status/get")["tls"]
            pins.insert(tls?["pin"]?.stringValue ?? "")
            #expect(tls?["mode"] == "local-ca" && tls?["problem"] == .null)
            #expect(tls?["names"]?.arrayValue?.contains("localhost") == true)
            let answer = try await test.askNetwork("GET", "/ca.crt")
            #expect(answer.headers["content-type"] == "application/x-x509-ca-cert")
            let pem = Array(try home.read("tls/ca.crt").utf8)
            #expect(try answer.body == Certificate.list(pem: pem)[0].der)
            #expect(try await test.askNetwork("POST", "/ca.crt").status.code == 405)
            await test.daemon.stop()
            #expect(try mode(home.file("tls")) == 0o700 && mode(home.file("tls/ca.key")) == 0o600)
            // Opened to others by mistake, and the certificate lost: both are mended, and the pin stays.
            if start == 0 {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o644], ofItemAtPath: home.file("tls/ca.key"))
                try FileManager.default.removeItem(atPath: home.file("tls/ca.crt"))
            }
        }
        #expect(pins.count == 1 && pins.first?.hasPrefix("sha256/") == true)
        #expect(!(try home.read("server.log")).contains("PRIVATE"))
    }

    @Test(arguments: [("ca.key", "", "no private key"), ("ca.crt", "x", "no certificate")])
    func aBrokenAuthorityStopsTheStart(file: String, text: String, word: String) async throws {
        let home = try PrivateHome()
        try await TestDaemon(home: home, configuration: #"{"tls": "local-ca"}"#).daemon.stop()
        try home.write("tls/\(file)", text)
        let error = await #expect(throws: StartError.self) { try await TestDaemon(home: home) }
        #expect(error?.description.contains(word) == true && error?.description.contains(home.file("tls")) == true)
    }

    @Test func aLostKeyIsNotReplacedUnasked() async throws {
        let home = try PrivateHome()
        try await TestDaemon(home: home, configuration: #"{"tls": "local-ca"}"#).daemon.stop()
        try FileManager.default.removeItem(atPath: home.file("tls/ca.key"))
        let error = await #expect(throws: StartError.self) { try await TestDaemon(home: home) }
        #expect(error?.description.contains("ca.key is missing") == true)
    }

    @Test func aNewAuthorityCertificateIsMadeBeforeTheOldOneEnds() async throws {
        let home = try PrivateHome()
        let clock = ManualClock()
        let first = try await TestDaemon(home: home, clock: clock, configuration: #"{"tls": "local-ca"}"#)
        let pin = try await first.call("status/get")["tls"]?["pin"]
        await first.daemon.stop()
        let before = try home.read("tls/ca.crt")
        clock.jump(by: 3640 * 86_400)
        let second = try await TestDaemon(home: home, clock: clock)
        #expect(try await second.call("status/get")["tls"]?["pin"] == pin)
        await second.daemon.stop()
        #expect(try home.read("tls/ca.crt") != before)
    }

    @Test func theCertificateIsRenewedWithoutARestart() async throws {
        let test = try await TestDaemon(configuration: #"{"tls": "local-ca"}"#)
        let before = try await test.call("status/get")["tls"]
        test.clock.jump(by: 340 * 86_400)
        test.clock.advance(by: 61)
        // Renewing leaves the loop's thread; each query takes a round through it.
        while try await test.call("status/get")["tls"] == before {}
        let after = try await test.call("status/get")["tls"]
        #expect(after?["pin"] == before?["pin"] && after?["valid_until"] != before?["valid_until"])
        #expect(after?["problem"] == .null)
        await test.daemon.stop()
        #expect(try test.home.read("server.log").contains("certificate renewed"))
    }

    @Test func aBrokenNewFileKeepsTheOldCertificateAndIsSaid() async throws {
        let home = try PrivateHome()
        let clock = ManualClock()
        let now = clock.now().wall.milliseconds / 1000
        let authority = try CertificateAuthority(key: .p256(), names: [], at: now)
        let server = try authority.issue(names: [.host("x.local")], at: now)
        try home.write("c.pem", String(decoding: server.certificate.pem, as: UTF8.self))
        try home.write("k.pem", String(decoding: server.key.pem, as: UTF8.self))
        let configuration = #"{"tls": {"certificate": "\#(home.file("c.pem"))", "key": "\#(home.file("k.pem"))"}}"#
        let test = try await TestDaemon(home: home, clock: clock, configuration: configuration)
        let before = try await test.call("status/get")["tls"]
        #expect(before?["mode"] == "files" && before?["names"] == ["x.local"] && before?["pin"] == .null)
        #expect(try await test.askNetwork("GET", "/ca.crt").status.code == 404)
        try home.write("c.pem", "nonsense")
        clock.advance(by: 61)
        while try await test.call("status/get")["tls"]?["problem"] == .null {}
        let after = try await test.call("status/get")["tls"]
        #expect(after?["names"] == ["x.local"] && after?["valid_until"] == before?["valid_until"])
        #expect(after?["problem"]?.stringValue?.contains("no certificate") == true)
        try home.write("c.pem", String(decoding: server.certificate.pem + authority.certificate.pem, as: UTF8.self))
        clock.advance(by: 60)
        while try await test.call("status/get")["tls"]?["problem"] != .null {}
        await test.daemon.stop()
        #expect(try home.read("server.log").contains(" warning tls: "))
    }

    @Test func filesThatCannotBeUsedStopTheStart() async throws {
        let error = await #expect(throws: StartError.self) {
            try await TestDaemon(configuration: #"{"tls": {"certificate": "/nonexistent/c", "key": "/nonexistent/k"}}"#)
        }
        #expect(error?.description.contains("/nonexistent/c") == true && error?.description.contains("tls") == true)
    }

    @Test func linksBeginWhereTheDaemonIsFound() async throws {
        let plain = try await TestDaemon()
        #expect(try await plain.call("status/get")["base_url"] == .string("http://127.0.0.1:\(plain.port)"))
        #expect(try await plain.call("status/get")["tls"] == ["mode": "off"])
        await plain.daemon.stop()
        let tls = try await TestDaemon(configuration: #"{"tls": "local-ca"}"#)
        #expect(try await tls.call("status/get")["base_url"] == .string("https://127.0.0.1:\(tls.port)"))
        #expect(tls.daemon.readyLine.contains("https://127.0.0.1:\(tls.port)"))
        await tls.daemon.stop()
        let known = try await TestDaemon(configuration: #"{"public_url": "https://cdev.example/"}"#)
        #expect(try await known.call("status/get")["base_url"] == "https://cdev.example")
        #expect(try await known.call("status/get")["beyond_loopback"] == false)
        await known.daemon.stop()
    }

    @Test func thePublicURLIsAnAllowedHostAndOrigin() async throws {
        let test = try await TestDaemon(configuration: #"{"public_url": "https://cdev.example"}"#)
        let cases: [(host: String, origin: String?, code: Int)] = [
            ("cdev.example", nil, 200), ("cdev.example", "https://cdev.example", 200),
            ("cdev.example:443", "https://cdev.example", 200), (test.host, "https://cdev.example", 200),
            ("cdev.example", "https://evil.example", 403), ("evil.example", "https://cdev.example", 421),
        ]
        for (host, origin, code) in cases {
            let peer = try test.network()
            let headers = origin.map { HTTPHeaders(dictionaryLiteral: ("Origin", $0)) } ?? [:]
            try await peer.send(httpRequest("GET", "/health", host: host, headers: headers))
            #expect(try await peer.response().status.code == code, "\(host) \(origin ?? "-")")
        }
        await test.daemon.stop()
    }

    @Test(arguments: [
        ("", 200), (#"{"public_url": "https://cdev.example"}"#, 401),
        (#"{"public_url": "https://cdev.example", "http_hooks": true}"#, 200), (#"{"http_hooks": false}"#, 401),
    ])
    func hooksWithoutATokenEndWhereThePortIsReachedFromElsewhere(configuration: String, code: Int) async throws {
        let test = try await TestDaemon(configuration: configuration)
        let answer = try await test.askNetwork("POST", "/hooks/claude", hook)
        #expect(answer.status.code == code)
        if code == 401 { #expect(answer.text.contains("http_hooks")) }
        #expect(try await test.ask("POST", "/hooks/claude", hook).status.code == 200, "the Unix socket stays")
        let token = try #require(try await test.call("token/create", ["name": "phone"])["token"]?.stringValue)
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        #expect(try await test.askNetwork("POST", "/hooks/claude", hook, headers: headers).status.code == 200)
        await test.daemon.stop()
    }

    @Test func aForwardedAddressIsWrittenDownOnlyIfItsProxyIsTrusted() async throws {
        for (configuration, address) in [("", "127.0.0.1"), (#"{"trusted_proxies": ["127.0.0.1"]}"#, "203.0.113.9")] {
            let test = try await TestDaemon(configuration: configuration)
            let headers: HTTPHeaders = ["Authorization": "Bearer wrong", "X-Forwarded-For": "6.6.6.6, 203.0.113.9"]
            #expect(try await test.askNetwork("POST", "/rpc", "{}", headers: headers).status.code == 401)
            let forwarded: HTTPHeaders = ["X-Forwarded-For": "127.0.0.1"]
            #expect(try await test.askNetwork("POST", "/hooks/claude", hook, headers: forwarded).status.code == 401)
            await test.daemon.stop()
            #expect(try test.home.read("server.log").contains("unknown token address=\(address)\n"))
        }
    }

    @Test func aPageBehindTheUnixSocketIsNotItsUser() async throws {
        let test = try await TestDaemon()
        let list = #"{"jsonrpc":"2.0","id":1,"method":"token/list"}"#
        #expect(try await test.ask("POST", "/rpc", list).status.code == 200)
        for name in ["Origin", "X-Forwarded-For"] {
            #expect(try await test.ask("POST", "/rpc", list, headers: [name: "http://localhost"]).status.code == 403)
        }
        await test.daemon.stop()
    }
}
