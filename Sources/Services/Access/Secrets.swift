/// Makes the secrets that devices hold: random and opaque, with a prefix that names their use. Only digests are stored.
struct Secrets: Sendable {
    let source: any SecretSource

    /// An access token: valid for 15 minutes, or without end where `cdev token` made it.
    func access() -> String { "cdev_s_" + source.random(bytes: 32) }

    func access(_ form: TokenForm) -> String {
        switch form {
        case .own: return access()
        case .hexadecimal(let prefix):
            let digits = Array("0123456789abcdef".utf8)
            let bytes = source.digest(source.random(bytes: 32)).prefix(16)
            return prefix
                + String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }

    /// A pairing token, 128 bits: part of an offer's link, or given for a typed code.
    func pairing() -> String { "cdev_p_" + source.random(bytes: 16) }

    func digest(_ secret: String) -> [UInt8] { source.digest(secret) }

    /// The first refresh token of a device.
    func refresh() -> Refresh { refresh(after: source.random(bytes: 16)) }

    /// The next refresh token of the device that has this family.
    func refresh(after family: String) -> Refresh {
        Refresh(family: family, text: Refresh.prefix + family + source.random(bytes: 32))
    }

    /// A refresh token: 128 bits that all refresh tokens of a device share, so that an old one is recognised, and 256
    /// bits of its own.
    struct Refresh {
        let family: String
        let text: String

        fileprivate static let prefix = "cdev_r_"
        private static let familyLength = 22
        private static let length = prefix.utf8.count + familyLength + 43

        fileprivate init(family: String, text: String) {
            self.family = family
            self.text = text
        }

        /// Parses a token that a client sent; `nil` if the text has not the form of one.
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
