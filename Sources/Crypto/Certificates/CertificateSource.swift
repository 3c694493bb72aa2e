import Platform

/// Provides the server's certificate. Asked at intervals, on any thread but the loop's.
package protocol CertificateSource: Sendable {
    /// A certificate to be shown from now on; nil while the last one is still the right one.
    /// - Parameter now: Seconds since 1970.
    /// - Throws: The reason for which there is no newer certificate; the last one is kept.
    mutating func next(at now: Int64) throws(CryptoError) -> ServerCertificate?
}

/// Two files that another program renews.
package struct FileCertificates: CertificateSource {
    private let certificatePath: String
    private let keyPath: String
    private var seen: [[UInt8]] = []

    /// Bytes. A chain with a large RSA key has a few kilobytes.
    private static let longest = 1 << 20

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    package mutating func next(at now: Int64) throws(CryptoError) -> ServerCertificate? {
        let files = [try read(certificatePath), try read(keyPath)]
        // Unchanged files are not read again: an error in them was reported before.
        guard files != seen else { return nil }
        let isFirst = seen.isEmpty
        seen = files
        do throws(CryptoError) {
            let found = try ServerCertificate(chain: files[0], key: files[1])
            // At the start an expired certificate is taken, because there is no other; later the last one is kept.
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

/// Certificates issued by this machine's authority.
package struct LocalCertificates: CertificateSource {
    private let authority: CertificateAuthority
    /// The names that the certificate should have; addresses can come and go.
    private let wanted: @Sendable () -> [CertificateName]
    private var current: (names: [CertificateName], validFrom: Int64, validUntil: Int64)?

    /// Seconds before its end at which a certificate is replaced.
    static let margin: Int64 = 60 * 86_400

    package init(authority: CertificateAuthority, wanted: @escaping @Sendable () -> [CertificateName]) {
        self.authority = authority
        self.wanted = wanted
    }

    package mutating func next(at now: Int64) throws(CryptoError) -> ServerCertificate? {
        let names = Set(wanted()).filter(authority.covers).sorted()
        let same = current.flatMap { $0.names == names ? $0 : nil }
        // The certificate was made while the clock was ahead, and clients refuse it before its time.
        let isYoung = same.map { now < $0.validFrom } ?? false
        if let same, !isYoung, now < same.validUntil - Self.margin { return nil }
        let issued = try authority.issue(names: names, at: now)
        // A new certificate is limited to the authority's own validity, so that near its limits it would be no better.
        if let same, isYoung ? issued.validFrom >= same.validFrom : issued.validUntil <= same.validUntil { return nil }
        current = (names, issued.validFrom, issued.validUntil)
        return issued
    }
}
