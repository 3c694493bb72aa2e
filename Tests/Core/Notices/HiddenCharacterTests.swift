import Core
import Testing
import Text

@Suite("Hidden characters")
struct HiddenCharacterTests {
    /// One scalar of each kind, and scalars that earlier definitions missed.
    static let hidden: [Unicode.Scalar] = [
        "\0", "\u{8}", "\u{D}", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}", "\u{34F}", "\u{378}", "\u{61C}", "\u{115F}",
        "\u{1680}", "\u{17B4}", "\u{180E}", "\u{2000}", "\u{200A}", "\u{200B}", "\u{200D}", "\u{2028}", "\u{2029}",
        "\u{202E}", "\u{202F}", "\u{205F}", "\u{2065}", "\u{2066}", "\u{2800}", "\u{3000}", "\u{3164}", "\u{E000}",
        "\u{FE0E}", "\u{FEFF}", "\u{FFA0}", "\u{FFF0}", "\u{FFFF}", "\u{110BD}", "\u{1D173}", "\u{1BCA0}", "\u{E0001}",
        "\u{E0041}", "\u{E0100}", "\u{F0000}", "\u{10FFFF}",
    ]

    @Test("a reader does not see them", arguments: hidden)
    func isHidden(_ scalar: Unicode.Scalar) {
        #expect(scalar.isHidden)
        #expect(DeviceName.cleaned("a\(scalar)b") == "ab")
    }

    @Test(
        "a reader sees them, or they are layout",
        arguments: Array("\t\n aé中한!~\u{300}א\u{FFFD}😀\u{FE0F}".unicodeScalars))
    func isSeen(_ scalar: Unicode.Scalar) {
        #expect(!scalar.isHidden)
    }

    /// The ranges that are decided without the Unicode properties agree with the properties.
    @Test func theShortWaysAgreeWithTheProperties() {
        let layout: Set<Unicode.Scalar> = ["\t", "\n", " ", "\u{FE0F}", "\u{2800}"]
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value), !layout.contains(scalar) else { continue }
            let category = scalar.properties.generalCategory
            let isBlankOrNone =
                switch category {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .spaceSeparator, .unassigned:
                    true
                default: false
                }
            #expect(scalar.isHidden == (isBlankOrNone || scalar.properties.isDefaultIgnorableCodePoint), "\(value)")
        }
    }
}
