import Crypto
import Foundation
import Platform
import TestSupport
import Testing

@Suite struct CertificateSourceTests {
    /// 2026-11-20T10:30:00Z
    private let now: Int64 = 1_795_170_600
    private let day: Int64 = 86_400

    private func authority() throws -> CertificateAuthority {
        try CertificateAuthority(key: .p256(), names: [.host("desk")], at: now)
    }

    private func issue(_ name: String, at time: Int64) throws -> ServerCertificate {
        let name = try #require(CertificateName(name))
        let authority = try CertificateAuthority(key: .p256(), names: [name], at: time)
        return try authority.issue(names: [name], at: time)
    }

    @Test func aLocalCertificateIsRenewedBeforeItEnds() throws {
        var source = LocalCertificates(authority: try authority()) { [.host("localhost")] }
        let first = try #require(try source.next(at: now))
        #expect(try source.next(at: now + 300 * day) == nil)
        let second = try #require(try source.next(at: now + 340 * day))
        #expect(second.validUntil - first.validUntil >= 339 * day)
        #expect(second.issuers[0].der == first.issuers[0].der)
        #expect(try source.next(at: now + 341 * day) == nil)
    }

    @Test func whatWasMadeWhileTheClockWasAheadIsMadeAgain() throws {
        var source = LocalCertificates(authority: try authority()) { [.host("localhost")] }
        #expect(try source.next(at: now) != nil)
        let ahead = now + 1000 * day
        #expect(try source.next(at: ahead)?.validFrom == ahead - 3600)
        #expect(try source.next(at: now)?.validFrom == now - 3600)
        #expect(try source.next(at: now) == nil)
        // Before its authority none is good, so none is made.
        #expect(try source.next(at: now - day) == nil)
    }

    @Test func aNewAddressGetsACertificateAndAForeignNameNone() throws {
        let names = Locked<[CertificateName]>([.host("localhost"), .host("desk")])
        var source = LocalCertificates(authority: try authority()) { names.withLock { $0 } }
        #expect(try source.next(at: now)?.certificate.dnsNames == ["desk", "localhost"])
        names.withLock { $0 = [.host("localhost"), .address("192.168.7.7"), .host("x.local")] }
        #expect(try source.next(at: now)?.certificate.dnsNames == ["localhost", "x.local"])
        names.withLock { $0.append(.host("bank.example")) }
        #expect(try source.next(at: now) == nil, "it may not vouch for that, so nothing has changed")
    }

    @Test func nearTheEndOfItsAuthorityACertificateIsNotMadeAgainAndAgain() throws {
        let authority = try authority()
        var source = LocalCertificates(authority: authority) { [.host("localhost")] }
        let late = authority.certificate.validUntil - day
        #expect(try source.next(at: late)?.validUntil == authority.certificate.validUntil)
        #expect(try source.next(at: late + 3600) == nil)
    }

    @Test func filesAreReadAgainWhenTheyChange() throws {
        let home = try PrivateHome()
        let put = { (server: ServerCertificate, key: ServerCertificate) in
            try home.write("c.pem", String(decoding: server.certificate.pem, as: UTF8.self))
            try home.write("k.pem", String(decoding: key.key.pem, as: UTF8.self))
        }
        var source = FileCertificates(certificatePath: home.file("c.pem"), keyPath: home.file("k.pem"))
        #expect(throws: CryptoError.self) { try source.next(at: now) }
        let (one, two) = (try issue("one.local", at: now), try issue("two.local", at: now))
        try put(one, one)
        #expect(try source.next(at: now)?.certificate.der == one.certificate.der)
        #expect(try source.next(at: now) == nil)
        // Between the two writes of somebody who renews them they do not fit each other.
        try put(two, one)
        let mismatch = #expect(throws: CryptoError.self) { try source.next(at: now) }
        #expect(mismatch?.description.contains("does not belong") == true)
        #expect(mismatch?.description.contains(home.file("c.pem")) == true)
        #expect(try source.next(at: now) == nil, "said once")
        try put(two, two)
        #expect(try source.next(at: now)?.certificate.der == two.certificate.der)
        try home.write("c.pem", "nonsense")
        #expect(throws: CryptoError.self) { try source.next(at: now) }
        try FileManager.default.removeItem(atPath: home.file("k.pem"))
        #expect(throws: CryptoError.self) { try source.next(at: now) }
        let old = try issue("old.local", at: now - 400 * day)
        try put(old, old)
        #expect(throws: CryptoError.self, "the one in use is better") { try source.next(at: now) }
        var late = FileCertificates(certificatePath: home.file("c.pem"), keyPath: home.file("k.pem"))
        #expect(try late.next(at: now) != nil, "at the start there is no better one")
    }
}
