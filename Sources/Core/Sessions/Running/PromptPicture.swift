/// The pictures that a prompt may hold.
package enum PromptPicture {
    /// The media types that the model takes.
    package static let mediaTypes = ["image/gif", "image/jpeg", "image/png", "image/webp"]

    /// True for base64 with its padding (RFC 4648 section 4), and not empty.
    package static func isBase64(_ text: some StringProtocol) -> Bool {
        let digits = text.utf8.prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        }
        let rest = text.utf8[digits.endIndex...]
        return !digits.isEmpty && text.utf8.count % 4 == 0 && rest.count <= 2
            && rest.allSatisfy { $0 == UInt8(ascii: "=") }
    }
}
