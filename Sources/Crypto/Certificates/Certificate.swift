import COpenSSL

/// An immutable X.509 certificate.
package final class Certificate: @unchecked Sendable {  // guard: never changed; its references are counted atomically
    package let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        X509_free(pointer)
    }

    /// All certificates in a PEM text, in its order; other PEM blocks are ignored. Throws unless there is at least one.
    package static func list(pem: [UInt8]) throws(CryptoError) -> [Certificate] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let found = MemoryBIO.reading(pem) { bio in
            var found: [Certificate] = []
            while let pointer = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(Certificate(owning: pointer)) }
            return found
        }
        guard copenssl_is_end_of_pem(ERR_peek_last_error()) != 0 else {
            throw .openSSL("certificate \(found.count + 1) cannot be read")
        }
        guard !found.isEmpty else { throw CryptoError("it holds no certificate in PEM form") }
        return found
    }

    package var pem: [UInt8] { MemoryBIO.written { PEM_write_bio_X509($0, pointer) } }

    package var der: [UInt8] { MemoryBIO.written { i2d_X509_bio($0, pointer) } }

    /// Seconds since 1970 from which the certificate is valid; 0 where its date cannot be read.
    package var validFrom: Int64 { seconds(X509_get0_notBefore(pointer)) }

    /// Seconds since 1970 up to which the certificate is valid; 0 where its date cannot be read.
    package var validUntil: Int64 { seconds(X509_get0_notAfter(pointer)) }

    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        var days: Int32 = 0
        var rest: Int32 = 0
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        guard ASN1_TIME_diff(&days, &rest, epoch, time) == 1 else { return 0 }
        return Int64(days) * 86_400 + Int64(rest)
    }

    /// SHA-256 of the public key as it stands in the certificate (RFC 7469 section 2.4): the same for every certificate
    /// of one key. 32 bytes.
    package var publicKeyDigest: [UInt8] {
        Digest.sha256(MemoryBIO.written { i2d_PUBKEY_bio($0, X509_get0_pubkey(pointer)) })
    }

    /// The DNS names among the subject alternative names, in the certificate's order.
    package var dnsNames: [String] {
        var names: [String] = []
        withUnsafeMutablePointer(to: &names) { names in
            copenssl_each_name(pointer, names) { context, isAddress, bytes, length in
                guard isAddress == 0, let bytes, let context else { return }
                let text = UnsafeBufferPointer(start: bytes, count: Int(length))
                context.assumingMemoryBound(to: [String].self).pointee.append(String(decoding: text, as: UTF8.self))
            }
        }
        return names
    }

    /// True if `key` is the private key of this certificate.
    func isKey(_ key: PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_private_key(pointer, key.pointer) == 1
    }
}
