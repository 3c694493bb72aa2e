import Testing
import Text

@Suite struct AddressTests {
    @Test(
        arguments: [
            ("localhost", "localhost", nil, false), ("localhost:8766", "localhost", "8766", false),
            ("h:", "h", "", false),
            ("[::1]", "::1", nil, true), ("[::1]:80", "::1", "80", true), ("[]", "", nil, true),
            ("a.example.:1", "a.example.", "1", false), ("user@h", "user@h", nil, false),
        ] as [(String, String, String?, Bool)])
    func authority(text: String, host: String, port: String?, isBracketed: Bool) throws {
        let authority = try #require(Authority(text))
        #expect(authority.host == host && authority.port == port && authority.isBracketed == isBracketed)
    }

    @Test(arguments: ["", ":80", "h:x", "h:80x", "h:80:90", "::1", "[::1", "[::1]80", "[::1]:x", "h:+1", "h:８"])
    func noAuthority(text: String) {
        #expect(Authority(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true, true), ("127.9.9.9:1", true, true), ("[::1]", true, true), ("localhost", false, true),
        ("10.0.0.1", true, false), ("127.0.0.1.", true, true), ("127.0.0.256", false, false), ("127.0.0", false, false),
        ("127.0.0.+1", false, false), ("[::2]", true, false), ("127.0.0.1.example", false, false),
        ("localhost.example", false, false),
    ])
    func kinds(text: String, isNumeric: Bool, isLoopback: Bool) throws {
        let authority = try #require(Authority(text))
        #expect(authority.isNumericAddress == isNumeric && authority.isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            ("https://a.example/b?c#d", "https", "a.example", nil, "/b?c#d", true),
            ("HTTP://A.example:80", "http", "A.example", "80", "", true),
            ("https://good.example@evil.example/", "https", "evil.example", nil, "/", false),
            ("https://a@b@c.example", "https", "c.example", nil, "", false),
            ("https://evil.example\\@good.example/", "https", "evil.example", nil, "\\@good.example/", false),
            ("https://h?x://y", "https", "h", nil, "?x://y", true), ("ftp://h/x", "ftp", "h", nil, "/x", false),
            ("https://[::1]:8/x", "https", "::1", "8", "/x", true),
            ("https://ex\u{e4}mple/", "https", "ex\u{e4}mple", nil, "/", false),
            ("https://h/ x", "https", "h", nil, "/ x", false), (" https://h/", " https", "h", nil, "/", false),
        ] as [(String, String, String, String?, String, Bool)])
    func address(
        text: String, scheme: String, host: String, port: String?, rest: String, isOfWeb: Bool
    ) throws {
        let address = try #require(WebAddress(text))
        #expect(address.text == text && address.scheme == scheme && address.rest == rest)
        #expect(address.authority.host == host && address.authority.port == port)
        #expect(address.isOfWeb == isOfWeb && address.isSecure == (scheme == "https"))
    }

    @Test(arguments: ["", "https:/h", "https://", "https:///x", "https://:80/", "https://h:port/", "mailto:a@b", "h/x"])
    func noAddress(text: String) {
        #expect(WebAddress(text) == nil)
    }
}
