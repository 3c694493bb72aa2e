import COpenSSL

/// Digests, and comparisons that keep a secret.
package enum Digest {
    /// 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        SHA256(bytes, bytes.count, &out)
        return out
    }

    /// 20 bytes; for the WebSocket handshake only.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 20)
        SHA1(bytes, bytes.count, &out)
        return out
    }

    /// Two lower-case digits a byte.
    package static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
