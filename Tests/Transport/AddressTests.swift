import Testing
import Transport
import Wire

@Suite struct AddressTests {
    @Test(arguments: [
        ("https://cdev.example", "https://cdev.example"), ("HTTPS://Cdev.Example:443/", "https://cdev.example"),
        ("http://cdev.example:80", "http://cdev.example"), ("http://192.168.1.5:8766", "http://192.168.1.5:8766"),
        ("https://[::1]:8766/", "https://[::1]:8766"), ("https://[fd00::1]", "https://[fd00::1]"),
        ("https://desk:1", "https://desk:1"),
        ("cdev.example", nil), ("ftp://cdev.example", nil), ("https://", nil), ("https:///", nil),
        ("https://:443", nil),
        ("https://cdev.example/app", nil), ("https://cdev.example//", nil), ("https://cdev.example?x", nil),
        ("https://cdev.example#x", nil), ("https://me@cdev.example", nil), ("https://cdev.example:", nil),
        ("https://cdev.example:0", nil), ("https://cdev.example:65536", nil), ("https://cdev.example:+1", nil),
        ("https://::1", nil), ("https://[::1", nil), ("https://[1.2.3.4]", nil), ("https://a b", nil),
        ("https://[::1]x", nil),
    ])
    func aBaseURLIsAnOriginAndNothingElse(text: String, expected: String?) {
        #expect(BaseURL(text)?.description == expected)
    }

    private func client(_ from: String, _ fields: [String], trusting: [String]) -> String {
        var headers: HTTPHeaders = ["Host": "x"]
        for field in fields { headers.append("X-Forwarded-For", field) }
        let request = HTTPRequest(method: "GET", target: "/", headers: headers)
        let proxies = TrustedProxies(ranges: trusting.compactMap(AddressRange.init))
        return proxies.client(of: request, from: Peer(endpoint: .tcp(address: from, isLoopback: true), connectionID: 1))
    }

    @Test func nobodyIsBelievedUnlessTold() {
        #expect(client("127.0.0.1", ["203.0.113.9"], trusting: []) == "127.0.0.1")
        #expect(client("127.0.0.1", ["203.0.113.9"], trusting: ["10.0.0.0/8"]) == "127.0.0.1")
    }

    @Test(arguments: [
        (["203.0.113.9"], "203.0.113.9"), ([], "127.0.0.1"), ([""], "127.0.0.1"), (["unknown"], "127.0.0.1"),
        // What the client itself wrote stands before what the proxy added.
        (["6.6.6.6, 203.0.113.9"], "203.0.113.9"), (["6.6.6.6", "203.0.113.9"], "203.0.113.9"),
        (["203.0.113.9, 10.1.2.3"], "203.0.113.9"), (["6.6.6.6, 203.0.113.9, 10.1.2.3, 10.1.2.4"], "203.0.113.9"),
        (["10.1.2.3"], "10.1.2.3"), (["evil, 10.1.2.3"], "10.1.2.3"), (["2001:DB8::0:1"], "2001:db8::1"),
        (["::ffff:203.0.113.9"], "203.0.113.9"), (["203.0.113.9:1234"], "127.0.0.1"),
    ])
    func aTrustedProxyIsBelievedAndTheClientIsNot(fields: [String], expected: String) {
        #expect(client("127.0.0.1", fields, trusting: ["127.0.0.1", "10.0.0.0/8"]) == expected)
    }

    @Test func aChainWithoutEndIsNotFollowed() {
        let hops = [String](repeating: "10.0.0.1", count: 100_000).joined(separator: ",")
        #expect(client("127.0.0.1", ["6.6.6.6," + hops], trusting: ["127.0.0.1", "10.0.0.0/8"]) == "10.0.0.1")
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.7", "10.0.0.7", true),
        ("10.0.0.7", "10.0.0.6", false), ("192.168.128.0/17", "192.168.129.1", true),
        ("192.168.128.0/17", "192.168.127.1", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false),
        ("fd00::/8", "fd12::1", true), ("::1", "::1", true),
    ])
    func rangesHoldWhatBeginsLikeThem(range: String, address: String, isIn: Bool) {
        #expect((client(address, ["9.9.9.9"], trusting: [range]) == "9.9.9.9") == isIn)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8", "::/129", "x", "", "10.0.0.0/8/8", "/8"])
    func otherTextIsNoRange(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
