import QRCode
import Testing

struct QRCodeTests {
    private let link = "http://127.0.0.1:8766/#pair=cdev_p_0123456789abcdefABCDEF"

    @Test func hasTheFindersInThreeCorners() throws {
        let code = try #require(QRCode(link))
        #expect(code.width >= 21 && (code.width - 17).isMultiple(of: 4))
        let last = code.width - 7
        for (row, column) in [(0, 0), (0, last), (last, 0)] {
            // A finder pattern is a dark ring, a light ring and a dark square (ISO/IEC 18004, 6.3.3).
            let shape = (0..<7).map { y in (0..<7).map { code.isDark(row + y, column + $0) } }
            let expected = (0..<7).map { y in (0..<7).map { max(abs(y - 3), abs($0 - 3)) != 2 } }
            #expect(shape == expected)
        }
        #expect(!code.isDark(last, last + 3) || !code.isDark(last + 6, last + 6), "no finder in the fourth")
    }

    @Test func drawsTwoRowsInEachLineWithItsMargin() throws {
        let code = try #require(QRCode(link))
        let lines = code.terminal(colours: false).split(separator: "\n").map(Array.init)
        #expect(lines.count == (code.width + 9) / 2)
        #expect(lines.allSatisfy { $0.count == code.width + 8 })
        for row in 0..<code.width {
            for column in 0..<code.width {
                let block = lines[(row + 4) / 2][column + 4]
                let isLight = row.isMultiple(of: 2) ? "█▀".contains(block) : "█▄".contains(block)
                #expect(isLight != code.isDark(row, column))
            }
        }
        #expect(lines[0].allSatisfy { $0 == "█" } && lines[1].allSatisfy { $0 == "█" })
    }

    @Test func saysItsColoursByNumber() throws {
        let code = try #require(QRCode(link))
        #expect(!code.terminal(colours: false).contains("\u{1B}"))
        let lines = code.terminal(colours: true).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[38;5;231;48;5;16m") && $0.hasSuffix("\u{1B}[0m") })
    }

    @Test(arguments: [1, 6, 20]) func writesAPicture(scale: Int) throws {
        let code = try #require(QRCode(link))
        let png = try #require(code.png(scale: scale))
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        let side = (code.width + 8) * scale
        // The header chunk holds the width, the height, eight bits for each pixel, and grey as the colour type.
        #expect(png[16..<20].reduce(0) { $0 << 8 | Int($1) } == side)
        #expect(png[20..<24].reduce(0) { $0 << 8 | Int($1) } == side)
        #expect(png[24] == 8 && png[25] == 0)
        #expect(png.suffix(8).starts(with: Array("IEND".utf8)))
    }

    @Test func refusesWhatNoCodeHolds() {
        #expect(QRCode("") == nil)
        #expect(QRCode("a\0b") == nil)
        #expect(QRCode(String(repeating: "x", count: 2953)) != nil)
        #expect(QRCode(String(repeating: "x", count: 2954)) == nil)
    }
}
