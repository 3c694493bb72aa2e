import Crypto
import OrderedJSON
import Wire

/// Signed tokens (RFC 7519).
enum JSONWebToken {
    /// A token signed with ES256 (RFC 7518 section 3.4); `nil` only if memory runs out.
    static func es256(_ header: JSON, _ claims: JSON, by key: P256Key) -> String? {
        let signed = [header, claims].map { Base64.encodeForURL($0.serializedBytes()) }.joined(separator: ".")
        return key.sign(Array(signed.utf8)).map { signed + "." + Base64.encodeForURL($0) }
    }
}
