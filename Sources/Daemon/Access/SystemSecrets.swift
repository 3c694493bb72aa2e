import Crypto
import Services
import Wire

/// Random text from the kernel's generator (`getrandom` on Linux), digests from libcrypto.
struct SystemSecrets: SecretSource {
    func random(bytes count: Int) -> String {
        var random = SystemRandomNumberGenerator()
        return Base64.encodeForURL((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    func digest(_ text: String) -> [UInt8] { Digest.sha256(Array(text.utf8)) }
}
