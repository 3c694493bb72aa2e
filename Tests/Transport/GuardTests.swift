import Testing
import Transport
import Wire

struct GuardTests {
    private let requestGuard = RequestGuard(
        names: ["127.0.0.1", "localhost", "::1", "Desk.Example"], ports: [8766], origins: ["https://app.example/"],
        user: 501)
    private let tcp = Peer(endpoint: .tcp(address: "127.0.0.1", isLoopback: true), connectionID: 1)

    private func status(
        _ headers: HTTPHeaders, target: String = "/", guard requestGuard: RequestGuard? = nil, overTLS: Bool = false
    ) -> Int? {
        let request = HTTPRequest(method: "GET", target: target, headers: headers)
        let peer = Peer(endpoint: tcp.endpoint, connectionID: 1, isEncrypted: overTLS)
        return (requestGuard ?? self.requestGuard).refusal(of: request, from: peer)?.status.code
    }

    @Test(arguments: [
        "127.0.0.1:8766", "localhost:8766", "LOCALHOST:8766", "[::1]:8766", "desk.example:8766", "desk.example.:8766",
        "127.0.0.1", "127.0.0.1:", "[::1]", "desk.example",
    ])
    func aHostThatIsServedPasses(host: String) {
        #expect(status(["Host": host]) == nil)
    }

    @Test(arguments: [
        "evil.example:8766", "evil.example", "127.0.0.1:80", "localhost:8766@evil", "::1:8766",
        "[::1:8766", "", ":8766", "localhost:8766:8766", "127.0.0.2:8766", "localhost.evil.example:8766",
        "localhost:+8766", "localhost:18446744073709560382",
    ])
    func anotherHostIsMisdirected(host: String) {
        #expect(status(["Host": host]) == 421)
    }

    @Test func aMissingOrSecondHostIsMisdirected() {
        #expect(status([:]) == 421)
        #expect(status(["Host": "localhost:8766", "host": "evil.example"]) == 421)
    }

    @Test func theTargetsHostCountsToo() {
        #expect(status(["Host": "localhost:8766"], target: "http://localhost:8766/x") == nil)
        #expect(status(["Host": "localhost:8766"], target: "http://evil.example/x") == 421)
    }

    @Test(arguments: [
        ("192.168.1.5:8766", nil), ("[fe80::1]:8766", nil), ("evil.example:8766", 421), ("1.2.3:8766", 421),
        ("1.2.3.256:8766", 421), ("1.2.3.example:8766", 421), ("192.168.1.5:1", 421), ("+1.2.3.4:8766", 421),
    ])
    func aListenerOnEveryAddressServesAddressesOnly(host: String, expected: Int?) {
        let requestGuard = RequestGuard(names: [], ports: [8766], servesAnyAddress: true, origins: [], user: 0)
        #expect(status(["Host": host], guard: requestGuard) == expected)
    }

    @Test(arguments: [
        ("https://app.example", nil), ("HTTPS://App.Example", nil), ("https://evil.example", 403), ("null", 403),
        ("", 403), ("https://app.example:444", 403), ("http://app.example", 403),
    ])
    func anOriginMustBeAllowed(origin: String, expected: Int?) {
        #expect(status(["Host": "localhost:8766", "Origin": origin]) == expected)
    }

    @Test(arguments: [
        ("http://localhost:8766", nil), ("http://localhost:3000", 403),
        ("http://localhost", 403), ("http://127.0.0.1:8766", 403), ("http://localhost:87660", 403),
        ("ftp://localhost:8766", 403), ("http://localhost:8766@evil.example", 403),
    ])
    func ourOwnPageMayAsk(origin: String, expected: Int?) {
        #expect(status(["Host": "localhost:8766", "Origin": origin]) == expected)
    }

    /// Whoever answers under the other scheme is somebody else.
    @Test func ourOwnPageHasTheSchemeItWasServedBy() {
        for isTLS in [false, true] {
            let own = isTLS ? "https" : "http"
            for scheme in ["http", "https"] {
                let headers: HTTPHeaders = ["Host": "localhost:8766", "Origin": "\(scheme)://localhost:8766"]
                #expect(status(headers, overTLS: isTLS) == (scheme == own ? nil : 403), "\(scheme), \(isTLS)")
            }
        }
    }

    /// A proxy speaks plain HTTP to us, whatever it speaks to the world.
    @Test(arguments: [
        ("cdev.example", "https://cdev.example", nil), ("cdev.example", "http://cdev.example", 403),
        ("cdev.example:443", "https://cdev.example:443", 403), ("localhost:8766", "http://localhost:8766", nil),
    ])
    func thePublicAddressHasItsOwnSchemeOnly(host: String, origin: String, expected: Int?) {
        let requestGuard = RequestGuard(
            names: ["localhost"], ports: [8766], publicHost: ("cdev.example", 443), origins: ["https://cdev.example"],
            user: 501)
        #expect(status(["Host": host, "Origin": origin], guard: requestGuard) == expected)
    }

    @Test func aPageOfARebindingNameIsNotOurs() {
        #expect(status(["Host": "evil.example:8766", "Origin": "http://evil.example:8766"]) == 421)
    }

    @Test func twoOriginsAreNoOrigin() {
        let allowed = "https://app.example"
        #expect(status(["Host": "localhost:8766", "Origin": allowed, "origin": allowed]) == 403)
    }

    @Test(arguments: [(UInt32(501), nil), (0, 403), (502, 403)])
    func aUnixPeerIsCheckedByItsUserOnly(user: UInt32, expected: Int?) {
        let peer = Peer(endpoint: .unix(uid: user, pid: 1), connectionID: 1)
        let request = HTTPRequest(method: "GET", target: "/", headers: ["Host": "evil.example"])
        #expect(requestGuard.refusal(of: request, from: peer)?.status.code == expected)
    }

    /// It would have the user's own rights.
    @Test(arguments: [
        ("Origin", "http://localhost:8766"), ("X-Forwarded-For", "127.0.0.1"), ("Origin", "null"),
        ("Forwarded", "for=1"),
        ("X-Real-IP", "127.0.0.1"), ("Via", "1.1 proxy"), ("Sec-Fetch-Site", "none"),
    ])
    func nobodySpeaksForOthersOnTheUnixSocket(name: String, value: String) {
        let peer = Peer(endpoint: .unix(uid: 501, pid: 1), connectionID: 1)
        var request = HTTPRequest(method: "POST", target: "/rpc", headers: ["Host": "x", name: value])
        #expect(requestGuard.refusal(of: request, from: peer)?.status.code == 403)
        request = HTTPRequest(method: "POST", target: "/rpc", headers: ["Host": "x", "X-Other": value])
        #expect(requestGuard.refusal(of: request, from: peer) == nil)
    }

    @Test(arguments: [
        ("cdev.example", nil), ("CDEV.example.:443", nil), ("cdev.example:8766", 421), ("localhost:443", 421),
        ("evil.example:443", 421),
    ])
    func aPublicHostHasAPortOfItsOwn(host: String, expected: Int?) {
        let requestGuard = RequestGuard(
            names: ["localhost"], ports: [8766], publicHost: ("Cdev.Example", 443), origins: [], user: 0)
        #expect(status(["Host": host], guard: requestGuard) == expected)
    }

    @Test func aRefusalIsJSONWhateverIsInTheRequest() {
        let request = HTTPRequest(method: "GET", target: "/", headers: ["Host": "a\"b\\c\u{1}"])
        let body = requestGuard.refusal(of: request, from: tcp)?.body ?? []
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains(#"a\"b\\c "#))
        #expect(text.hasPrefix(#"{"error":"#))
    }

    @Test(
        arguments: [
            (["Authorization": "Bearer abc"], "abc"), (["authorization": "bearer   abc"], "abc"),
            (["Authorization": "Basic abc"], nil), (["Authorization": "Bearer"], nil),
            (["Authorization": "Bearer "], nil),
            (["Authorization": "Bearer a b"], nil), (["Authorization": "Bearer a", "authorization": "Bearer b"], nil),
            (["Sec-WebSocket-Protocol": "cdev, cdev.token.t1"], "t1"),
            (["Sec-WebSocket-Protocol": "cdev.token.t1"], nil),
            (["Sec-WebSocket-Protocol": "cdev.token.t1, cdev"], "t1"),
            (["Sec-WebSocket-Protocol": "cdev, cdev.token."], nil),
            (["Authorization": "Bearer a", "Sec-WebSocket-Protocol": "cdev, cdev.token.t1"], "a"),
            (["Authorization": "Basic a", "Sec-WebSocket-Protocol": "cdev, cdev.token.t1"], nil), ([:], nil),
            (["X-API-Key": "k"], "k"), (["x-api-key": "k", "Authorization": "Bearer a"], "a"),
            (["x-api-key": ""], nil), (["x-api-key": "a b"], nil), (["x-api-key": "a", "X-API-Key": "b"], nil),
            (["x-api-key": "k", "Authorization": "Basic a"], nil),
        ] as [(HTTPHeaders, String?)])
    func theTokenIsFoundWhereClientsCanPutIt(headers: HTTPHeaders, token: String?) {
        #expect(HTTPRequest(method: "GET", target: "/", headers: headers).bearerToken == token)
    }

    @Test(arguments: [
        ("Origin", true), ("SEC-FETCH-SITE", true), ("X-Forwarded-For", true), ("Forwarded", true), ("Via", true),
        ("X-Real-IP", true), ("Content-Type", false), ("User-Agent", false), ("Cdev-Request", false),
    ])
    func fieldsOfBrowsersAndProxiesAreKnown(name: String, expected: Bool) {
        var headers: HTTPHeaders = ["Host": "localhost:8766"]
        headers.append(name, "x")
        #expect(HTTPRequest(method: "GET", target: "/", headers: headers).isFromBrowserOrForwarded == expected)
    }
}
