import Crypto
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CertificateTests {
    /// 2026-11-20T10:30:00Z
    private let now: Int64 = 1_795_170_600
    private let day: Int64 = 86_400

    private func authority(_ names: [CertificateName] = [.host("desk"), .host("cdev.example")]) throws
        -> CertificateAuthority
    {
        try CertificateAuthority(key: .p256(), names: names, at: now)
    }

    /// The result of `openssl verify` for a server certificate and `name`.
    private func verdict(
        _ server: ServerCertificate, of authority: CertificateAuthority, for name: CertificateName, at time: Int64
    ) throws -> OpenSSLCommand.Result {
        let home = try PrivateHome()
        let (kind, text) =
            switch name {
            case .address(let text): ("-verify_ip", text)
            case .host(let text): ("-verify_hostname", text)
            }
        return try OpenSSLCommand.run(
            "verify", "-x509_strict", "-purpose", "sslserver", "-attime", "\(time)", kind, text, "-CAfile",
            home.put("ca.pem", authority.certificate.pem), home.put("leaf.pem", server.certificate.pem))
    }

    @Test(arguments: [
        CertificateName.host("localhost"), .host("desk"), .host("desk.local"), .host("cdev.example"),
        .address("127.0.0.1"), .address("::1"), .address("192.168.1.20"), .address("100.100.2.3"),
        .address("fd7a:115c::5"),
    ])
    func anotherVerifierAcceptsWhatIsCovered(name: CertificateName) throws {
        let authority = try authority()
        #expect(authority.covers(name))
        let server = try authority.issue(names: [.host("localhost"), name], at: now)
        let good = try verdict(server, of: authority, for: name, at: now)
        #expect(good.status == 0, "\(good.output)")
        #expect(try verdict(server, of: authority, for: .host("other.local"), at: now).status != 0)
    }

    @Test(arguments: [
        CertificateName.host("example.com"), .host("mylocal"), .host("notdesk"), .host("example"),
        .address("8.8.8.8"), .address("172.32.0.1"), .address("2001:db8::1"),
    ])
    func nobodyAcceptsWhatIsBeyondTheConstraints(name: CertificateName) throws {
        let authority = try authority()
        #expect(!authority.covers(name))
        // Sign the certificate nevertheless, as somebody with a stolen key would.
        let server = try authority.issue(names: [.host("localhost"), name], at: now)
        let result = try verdict(server, of: authority, for: name, at: now)
        #expect(result.status != 0 && result.output.contains("permitted subtree violation"))
    }

    /// BoringSSL refuses a certificate with an address below an authority that is limited to addresses.
    @Test func theCertificateForClientsThatAskByNameHasNoAddress() throws {
        let authority = try authority()
        let both = try authority.issue(names: [.host("desk"), .address("127.0.0.1"), .host("localhost")], at: now)
        let named = try #require(both.named)
        #expect(named.dnsNames == ["desk", "localhost"] && both.certificate.dnsNames == named.dnsNames)
        #expect(named.publicKeyDigest == both.certificate.publicKeyDigest)
        let shown = try ServerCertificate(chain: named.pem, key: both.key.pem)
        #expect(try verdict(shown, of: authority, for: .host("localhost"), at: now).status == 0)
        #expect(try verdict(shown, of: authority, for: .address("127.0.0.1"), at: now).status != 0)
        #expect(try verdict(both, of: authority, for: .address("127.0.0.1"), at: now).status == 0)
        #expect(try authority.issue(names: [.host("localhost")], at: now).named == nil)
        #expect(try authority.issue(names: [.address("127.0.0.1")], at: now).named == nil)
    }

    @Test func certificatesHoldFor397DaysAndNoLongerThanTheirAuthority() throws {
        let authority = try authority()
        let server = try authority.issue(names: [.host("localhost")], at: now)
        let certificate = server.certificate
        #expect(certificate.validFrom < now && now - certificate.validFrom <= 3600)
        #expect(certificate.validUntil - certificate.validFrom + 1 == 397 * day)
        #expect(server.validUntil == certificate.validUntil)
        let late = authority.certificate.validUntil - 10 * day
        #expect(try authority.issue(names: [.host("localhost")], at: late).validUntil == late + 10 * day)
        for (time, isGood) in [(now, true), (now - 7200, false), (now + 397 * day, false)] {
            let result = try verdict(server, of: authority, for: .host("localhost"), at: time)
            #expect((result.status == 0) == isGood, "\(time): \(result.output)")
        }
    }

    @Test func noTwoCertificatesAreAlikeAndThePinStays() throws {
        let authority = try authority()
        let one = try authority.issue(names: [.host("localhost")], at: now)
        let two = try authority.issue(names: [.host("localhost")], at: now)
        #expect(one.certificate.der != two.certificate.der)
        #expect(one.certificate.publicKeyDigest != two.certificate.publicKeyDigest)
        #expect(one.issuers[0].publicKeyDigest == two.issuers[0].publicKeyDigest)
        let again = try CertificateAuthority(key: PrivateKey(pem: authority.key.pem), names: [], at: now + 1000 * day)
        let digest = authority.certificate.publicKeyDigest
        #expect(again.certificate.publicKeyDigest == digest && again.certificate.der != authority.certificate.der)
        #expect(try self.authority().certificate.publicKeyDigest != digest)
    }

    @Test func theDigestIsWhatOthersCompute() throws {
        let home = try PrivateHome()
        let authority = try authority()
        let certificate = try home.put("ca.pem", authority.certificate.pem)
        let key = try OpenSSLCommand.run("x509", "-in", certificate, "-noout", "-pubkey").output
        try home.write("key.pem", key)
        _ = try OpenSSLCommand.run(
            "pkey", "-pubin", "-in", home.file("key.pem"), "-outform", "DER", "-out", home.file("key.der"))
        let digest = Digest.sha256(Array(try Data(contentsOf: URL(fileURLWithPath: home.file("key.der")))))
        #expect(authority.certificate.publicKeyDigest == digest)
    }

    @Test func anAuthorityIsReadBackAsItWas() throws {
        let made = try authority()
        let read = try CertificateAuthority(certificate: made.certificate.pem, key: PrivateKey(pem: made.key.pem))
        #expect(read.certificate.der == made.certificate.der)
        #expect(read.covers(.host("cdev.example")) && !read.covers(.host("other.example")))
        #expect(throws: CryptoError.self) {
            try CertificateAuthority(certificate: made.certificate.pem, key: PrivateKey.p256())
        }
    }

    @Test func dnsNamesAreListed() throws {
        let names = ["a.local", "b.local"].compactMap(CertificateName.init)
        let server = try authority().issue(names: names + [.address("10.0.0.1")], at: now)
        #expect(server.certificate.dnsNames == ["a.local", "b.local"])
    }

    @Test(arguments: [
        ("localhost", "localhost"), ("Desk.Local.", "desk.local"), ("10.0.0.1", "10.0.0.1"), ("::1", "::1"),
        ("a_b", nil), ("", nil), (".", nil), ("a..b", nil), ("-a", nil), ("a-", nil), ("*.local", nil),
        ("a,DNS:evil.example", nil), ("a;b", nil), ("a b", nil), ("1.2.3", nil), ("1.2.3.256", nil), ("ä.local", nil),
        ("fe80::1%eth0", nil), ("a\n", nil), (String(repeating: "a", count: 64), nil),
    ])
    func onlyNamesAndAddressesAreNames(text: String, expected: String?) {
        #expect(CertificateName(text)?.text == expected)
    }

    @Test func aChainAndItsKeyAreReadFromPEM() throws {
        let authority = try authority()
        let made = try authority.issue(names: [.host("localhost")], at: now)
        let chain = made.certificate.pem + authority.certificate.pem
        let read = try ServerCertificate(chain: Array("a remark\n".utf8) + chain, key: made.key.pem)
        #expect(read.certificate.der == made.certificate.der && read.issuers.map(\.der) == [authority.certificate.der])
    }

    @Test func whatCannotBeUsedIsSaid() throws {
        let home = try PrivateHome()
        let authority = try authority()
        let made = try authority.issue(names: [.host("localhost")], at: now)
        let (chain, key) = (made.certificate.pem, made.key.pem)
        let plain = try home.put("key.pem", key)
        _ = try OpenSSLCommand.run(
            "pkey", "-in", plain, "-aes128", "-passout", "pass:x", "-out", home.file("encrypted.pem"))
        let encrypted = Array(try home.read("encrypted.pem").utf8)
        let cut = Array(chain.prefix(chain.count / 2))
        let cases: [(chain: [UInt8], key: [UInt8], word: String)] = [
            ([], key, "no certificate"), (Array("hello".utf8), key, "no certificate"), (cut, key, "certificate 1"),
            (chain + cut, key, "certificate 2"), (key, key, "no certificate"), (chain, [], "no private key"),
            (chain, chain, "no private key"), (chain, encrypted, "passphrase"),
            (chain, try PrivateKey.p256().pem, "does not belong"),
            (Array(chain[..<100]) + Array("#".utf8) + Array(chain[101...]), key, "certificate 1"),
        ]
        for (chain, key, word) in cases {
            let error = #expect(throws: CryptoError.self) { try ServerCertificate(chain: chain, key: key) }
            #expect(error?.description.contains(word) == true, "\(word): \(error?.description ?? "")")
        }
    }
}
