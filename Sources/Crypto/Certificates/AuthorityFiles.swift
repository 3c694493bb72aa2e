import Glibc
import Platform

/// The local authority on disk: `tls/ca.key` and `tls/ca.crt` in the daemon's home, for its user alone.
///
/// The key is written first and never replaced. A certificate that is missing or about to expire is made again for the
/// same key, so that what clients have pinned stays valid.
package struct AuthorityFiles {
    private let directory: String

    private var keyPath: String { directory + "/ca.key" }
    private var certificatePath: String { directory + "/ca.crt" }

    package init(directory: String) {
        self.directory = directory
    }

    private static let longest = 64 * 1024

    /// - Parameters:
    ///   - names: The names that a new authority may certify.
    ///   - time: Seconds since 1970.
    package func load(names: [CertificateName], at time: Int64) throws(CryptoError) -> CertificateAuthority {
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw failure("making \(directory)") }
        let key = try loadKey()
        if access(certificatePath, F_OK) == 0 {
            let found = try read(certificatePath) { bytes throws(CryptoError) in
                try CertificateAuthority(certificate: bytes, key: key)
            }
            if found.certificate.validUntil - time > LocalCertificates.margin { return found }
        }
        let made = try CertificateAuthority(key: key, names: names, at: time)
        try write(made.certificate.pem, to: certificatePath)
        return made
    }

    private func loadKey() throws(CryptoError) -> PrivateKey {
        if access(keyPath, F_OK) == 0 {
            // Made private like the home itself: who can read the key can impersonate this daemon.
            chmod(keyPath, 0o600)
            return try read(keyPath) { bytes throws(CryptoError) in try PrivateKey(pem: bytes) }
        }
        guard access(certificatePath, F_OK) != 0 else {
            throw CryptoError(
                "\(keyPath) is missing, but \(certificatePath) is there: bring the key back, or remove the certificate "
                    + "too and install the new one on your devices")
        }
        let made = try PrivateKey.p256()
        try write(made.pem, to: keyPath)
        return made
    }

    private func read<Value>(
        _ path: String, _ parse: ([UInt8]) throws(CryptoError) -> Value
    ) throws(CryptoError) -> Value {
        guard let bytes = FileBytes.read(path, limit: Self.longest) else { throw CryptoError("\(path) cannot be read") }
        do throws(CryptoError) { return try parse(bytes) } catch { throw CryptoError("\(path): \(error)") }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CryptoError) {
        do throws(FileError) { try AtomicFile.replace(path, with: bytes) } catch { throw CryptoError("\(error)") }
    }

    private func failure(_ what: String) -> CryptoError {
        CryptoError("\(what) failed: \(SystemError.last)")
    }
}
