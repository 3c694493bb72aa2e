import COpenSSL

/// A certificate before it is signed.
final class CertificateBuilder {
    private let pointer: OpaquePointer

    /// - Parameter subject: the common name of the certificate's subject.
    init(subject: String, key: PrivateKey, from: Int64, until: Int64) throws(CryptoError) {
        guard let pointer = X509_new() else { throw .openSSL("no certificate could be made") }
        self.pointer = pointer
        // A serial number is positive and at most 20 bytes (RFC 5280 section 4.1.2.2). Random, so that no two are
        // equal.
        var serial = [UInt8](repeating: 0, count: 16)
        guard RAND_bytes(&serial, Int32(serial.count)) == 1 else { throw .openSSL("no random number could be had") }
        serial[0] &= 0x7F
        let number = BN_bin2bn(serial, Int32(serial.count), nil)
        defer { BN_free(number) }
        let isMade =
            X509_set_version(pointer, 2) == 1 && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil
            && ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(from)) != nil
            && ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(until)) != nil
            && X509_NAME_add_entry_by_txt(
                X509_get_subject_name(pointer), "CN", MBSTRING_UTF8, subject, -1, -1, 0) == 1
            && X509_set_pubkey(pointer, key.pointer) == 1
        guard isMade else { throw .openSSL("no certificate could be made") }
    }

    deinit {
        X509_free(pointer)
    }

    /// Adds an extension.
    /// - Parameters:
    ///   - value: in OpenSSL's notation.
    ///   - issuer: the certificate whose key identifier the extension may name; nil for this certificate.
    func add(_ kind: Int32, _ value: String, issuer: Certificate? = nil) throws(CryptoError) {
        guard copenssl_add_extension(pointer, issuer?.pointer ?? pointer, kind, value) == 1 else {
            throw .openSSL("the certificate cannot say \(value)")
        }
    }

    /// Signs with ECDSA or RSA over SHA-256.
    /// - Parameter issuer: nil makes a self-signed certificate.
    func signed(by key: PrivateKey, issuer: Certificate?) throws(CryptoError) -> Certificate {
        let name = issuer.map { X509_get_subject_name($0.pointer) } ?? X509_get_subject_name(pointer)
        guard X509_set_issuer_name(pointer, name) == 1, X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else {
            throw .openSSL("the certificate could not be signed")
        }
        // OpenSSL decodes extensions, such as name constraints, only when it reads a certificate.
        let bytes = MemoryBIO.written { i2d_X509_bio($0, pointer) }
        guard let read = MemoryBIO.reading(bytes, { d2i_X509_bio($0, nil) }) else {
            throw .openSSL("the certificate could not be read back")
        }
        return Certificate(owning: read)
    }
}
