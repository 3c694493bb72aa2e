/// The certificate chain that a TLS server presents, with the private key of its first certificate.
package struct ServerCertificate: Sendable {
    /// The server's own certificate.
    package let certificate: Certificate
    /// Shown instead, with the same key, to clients that ask for a host by its name; nil to show one to all. It has no
    /// addresses: BoringSSL, which Claude Code's own requests use, cannot compare an address with name constraints, and
    /// refuses a certificate that has one.
    package let named: Certificate?
    /// The issuers' certificates, each of which signed the certificate before.
    package let issuers: [Certificate]
    package let key: PrivateKey

    init(certificate: Certificate, named: Certificate? = nil, issuers: [Certificate], key: PrivateKey) {
        self.certificate = certificate
        self.named = named
        self.issuers = issuers
        self.key = key
    }

    /// Reads two PEM texts. The server's own certificate is the first of `chain`. Throws if `key` does not belong to
    /// it.
    package init(chain: [UInt8], key: [UInt8]) throws(CryptoError) {
        let certificates = try Certificate.list(pem: chain)
        let key = try PrivateKey(pem: key)
        guard certificates[0].isKey(key) else {
            throw CryptoError("the key does not belong to the first certificate")
        }
        self.init(certificate: certificates[0], issuers: Array(certificates.dropFirst()), key: key)
    }

    /// Seconds since 1970 at which the first certificate of the chain expires.
    package var validUntil: Int64 {
        issuers.reduce(certificate.validUntil) { min($0, $1.validUntil) }
    }

    /// Seconds since 1970 from which every certificate of the chain is valid.
    package var validFrom: Int64 {
        issuers.reduce(certificate.validFrom) { max($0, $1.validFrom) }
    }
}
