import CPNG
import CQRCode

/// A QR code (ISO/IEC 18004), rendered as half blocks for a terminal or as a PNG for a browser. Only this type calls
/// libqrencode and libpng.
package struct QRCode: Sendable, Hashable {
    /// Modules on one side, without the margin.
    package let width: Int
    /// All modules, row after row; true is dark.
    private let modules: [Bool]

    /// Modules on one side, with the margin.
    package var widthWithMargin: Int { width + 2 * Self.margin }

    /// The width in modules of the light margin on every side that scanners need.
    static let margin = 4

    /// `nil` where the text is empty, contains a NUL, or is longer than a code can hold (2,953 bytes).
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0), let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else {
            return nil
        }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // The lowest bit of each byte is the module's colour; the other bits tell its function in the code.
        modules = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// True if a module is dark; all modules outside the code are light.
    package func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column]
    }

    /// The code as text, with two rows of modules in each line. Light modules are drawn as blocks and dark modules as
    /// spaces, which is right on a dark background.
    /// - Parameter colours: True if escape sequences set white on black, which is right on every background.
    package func terminal(colours: Bool) -> String {
        let range = -Self.margin..<width + Self.margin
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in
                let lower = row + 1 < range.upperBound ? isDark(row + 1, column) : !colours
                return Self.block(upper: isDark(row, column), lower: lower)
            }.joined()
            // Both colours are set by number, because themes change what "white" is.
            return (colours ? "\u{1B}[38;5;231;48;5;16m\(line)\u{1B}[0m" : line) + "\n"
        }.joined()
    }

    private static func block(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
    }

    /// The code as a PNG file; nil where libpng fails.
    /// - Parameter scale: Pixels on one side of a module, 1 to 20.
    package func png(scale: Int) -> [UInt8]? {
        let scale = min(max(scale, 1), 20)
        let side = (width + 2 * Self.margin) * scale
        var dots = [UInt8](repeating: 255, count: side * side)
        for row in 0..<side {
            for column in 0..<side
            where isDark(row / scale - Self.margin, column / scale - Self.margin) { dots[row * side + column] = 0 }
        }
        return Self.png(dots, side: UInt32(side))
    }

    private static func png(_ dots: [UInt8], side: UInt32) -> [UInt8]? {
        var size = 0
        guard cpng_write_grey(nil, &size, dots, side, side) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard cpng_write_grey(&bytes, &size, dots, side, side) != 0 else { return nil }
        return Array(bytes.prefix(size))
    }
}
