import Core
import Crypto

/// The secrets devices hold: random and opaque, with a prefix that says what they are. Only digests are kept.
enum Secrets {
    /// Good for 15 minutes, or for ever where it was made by `cdev token`.
    static func access() -> String { "cdev_s_" + RandomText.base64URL(bytes: 32) }

    /// In the link of an offer, or given for a typed code: 128 bits.
    static func pairing() -> String { pairingPrefix + RandomText.base64URL(bytes: 16) }

    private static let pairingPrefix = "cdev_p_"

    static func digest(_ secret: String) -> [UInt8] { Digest.sha256(Array(secret.utf8)) }

    /// A refresh token: 128 bits that all of a device share, so that an old one is known for what it is, and 256 of its
    /// own.
    struct Refresh {
        let family: String
        let text: String

        private static let prefix = "cdev_r_"
        private static let familyLength = 22
        private static let length = prefix.utf8.count + familyLength + 43

        /// The first of a device.
        init() {
            self.init(family: RandomText.base64URL(bytes: 16))
        }

        /// The next of a device.
        init(family: String) {
            self.family = family
            text = Self.prefix + family + RandomText.base64URL(bytes: 32)
        }

        /// One that was sent; `nil` for what cannot be one.
        init?(text: String) {
            guard text.hasPrefix(Self.prefix), text.utf8.count == Self.length,
                text.utf8.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.isLetter)
            else { return nil }
            self.text = text
            family = String(text.dropFirst(Self.prefix.count).prefix(Self.familyLength))
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
