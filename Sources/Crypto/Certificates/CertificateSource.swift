import Platform

/// Where the server's certificate comes from. Asked now and then, on any thread but the loop's.
package protocol CertificateSource: Sendable {
    /// A certificate that is to be shown from now on; nil while the last one still holds.
    /// - Parameter now: seconds since 1970.
    /// - Throws: why there is no better one; the last one is kept.
    mutating func next(at now: Int64) throws(CryptoError) -> ServerCertificate?
}

/// Two files that somebody else renews.
package struct FileCertificates: CertificateSource {
    private let certificatePath: String
    private let keyPath: String
    private var seen: [[UInt8]] = []

    /// A chain with a large RSA key has a few kilobytes.
    private static let longest = 1 << 20

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    package mutating func next(at now: Int64) throws(CryptoError) -> ServerCertificate? {
        let files = [try read(certificatePath), try read(keyPath)]
        // Whatever is wrong with them has been said.
        guard files != seen else { return nil }
        let isFirst = seen.isEmpty
        seen = files
        do throws(CryptoError) {
            let found = try ServerCertificate(chain: files[0], key: files[1])
            // At the start there is nothing better; later there is.
            guard isFirst || found.validUntil > now else {
                throw CryptoError("the new certificate has ended already")
            }
            return found
        } catch {
            throw CryptoError("\(certificatePath) and \(keyPath) cannot be used: \(error)")
        }
    }

    private func read(_ path: String) throws(CryptoError) -> [UInt8] {
        if let bytes = FileBytes.read(path, limit: Self.longest) { return bytes }
        throw CryptoError("\(path) is no file of less than 1 MiB that may be read")
    }
}

/// The authority of this machine.
package struct LocalCertificates: CertificateSource {
    private let authority: CertificateAuthority
    /// What the certificate should be for; an address may come and go.
    private let wanted: @Sendable () -> [CertificateName]
    private var current: (names: [CertificateName], validFrom: Int64, validUntil: Int64)?

    /// A certificate is replaced so many seconds before it ends.
    static let margin: Int64 = 60 * 86_400

    package init(authority: CertificateAuthority, wanted: @escaping @Sendable () -> [CertificateName]) {
        self.authority = authority
        self.wanted = wanted
    }

    package mutating func next(at now: Int64) throws(CryptoError) -> ServerCertificate? {
        let names = Set(wanted()).filter(authority.covers).sorted()
        let same = current.flatMap { $0.names == names ? $0 : nil }
        // It was made while the clock was ahead, and nobody takes it before its time.
        let isYoung = same.map { now < $0.validFrom } ?? false
        if let same, !isYoung, now < same.validUntil - Self.margin { return nil }
        let issued = try authority.issue(names: names, at: now)
        // Near an end, or the beginning, of the authority a new one would be no better.
        if let same, isYoung ? issued.validFrom >= same.validFrom : issued.validUntil <= same.validUntil { return nil }
        current = (names, issued.validFrom, issued.validUntil)
        return issued
    }
}
