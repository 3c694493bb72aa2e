import COpenSSL

/// Message digests and their notation.
package enum Digest {
    /// The SHA-256 digest: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        SHA256(bytes, bytes.count, &out)
        return out
    }

    /// The SHA-1 digest: 20 bytes. For the WebSocket handshake only.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 20)
        SHA1(bytes, bytes.count, &out)
        return out
    }

    /// Hexadecimal notation: two lower-case digits for each byte.
    package static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
