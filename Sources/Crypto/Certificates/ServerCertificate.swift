/// What a TLS server shows, and the key that proves it.
package struct ServerCertificate: Sendable {
    /// The server's own.
    package let certificate: Certificate
    /// Those that vouch for it, each for the one before.
    package let issuers: [Certificate]
    package let key: PrivateKey

    init(certificate: Certificate, issuers: [Certificate], key: PrivateKey) {
        self.certificate = certificate
        self.issuers = issuers
        self.key = key
    }

    /// Reads two PEM texts; the server's own certificate stands first.
    package init(chain: [UInt8], key: [UInt8]) throws(CryptoError) {
        let certificates = try Certificate.list(pem: chain)
        let key = try PrivateKey(pem: key)
        guard certificates[0].isKey(key) else {
            throw CryptoError("the key does not belong to the first certificate")
        }
        self.init(certificate: certificates[0], issuers: Array(certificates.dropFirst()), key: key)
    }

    /// Seconds since 1970: when the first of its certificates ends.
    package var validUntil: Int64 {
        issuers.reduce(certificate.validUntil) { min($0, $1.validUntil) }
    }

    /// Seconds since 1970: when the last of its certificates begins.
    package var validFrom: Int64 {
        issuers.reduce(certificate.validFrom) { max($0, $1.validFrom) }
    }
}
