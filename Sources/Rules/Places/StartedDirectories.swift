import Text

/// The directories of which a text of commands starts files without their names: `for f in tools/*.sh`, `run-parts hooks`,
/// `go run ./cmd/server`, `-Itools`.
///
/// A pattern that programs only read files by does not count, as in `eslint src/**/*.ts`.
struct StartedDirectories {
    private struct Directory {
        /// The last two parts, as far as there are two.
        let parts: [[UInt8]]
        /// The file's name ends with this.
        let end: [UInt8]
    }

    private var list: [Directory] = []
    var isEmpty: Bool { list.isEmpty }

    /// - Parameter text: case folded and without quotation.
    init(in text: [UInt8]) {
        var last: ArraySlice<UInt8> = []
        var program: ArraySlice<UInt8> = []
        for word in text.split(whereSeparator: { !Self.isOfWord($0) }) {
            if let glob = word.firstIndex(where: Self.isOfGlob) {
                takeGlob(word, at: glob, behind: last)
            } else if word.first == UInt8(ascii: "-") {
                if word.starts(with: "-i".utf8) { take(word.dropFirst(2)) }
                continue
            } else if program.elementsEqual("run-parts".utf8) {
                take(word)
            } else if program.elementsEqual("go".utf8), last.elementsEqual("run".utf8) {
                take(word, end: Array(".go".utf8))
            }
            program = last.elementsEqual("go".utf8) ? last : word
            last = word
        }
    }

    /// True if the path's file is one of a directory's.
    func contain(_ parts: [[UInt8]]) -> Bool {
        guard !list.isEmpty, let name = parts.last else { return false }
        return list.contains { directory in
            name.suffix(directory.end.count).elementsEqual(directory.end)
                && parts.dropLast().indices.contains { Self.parts(parts[...$0], end: directory.parts) }
        }
    }

    /// True if the last two parts are the same. A part in front of a directory of the root may be a variable's.
    private static func parts(_ parts: ArraySlice<[UInt8]>, end directory: [[UInt8]]) -> Bool {
        guard parts.last == directory.last else { return false }
        guard let above = parts.dropLast().last, directory.count > 1 else { return true }
        return above == directory[0]
    }

    private mutating func take(_ directory: ArraySlice<UInt8>, end: [UInt8] = []) {
        let parts = directory.split(separator: UInt8(ascii: "/")).filter { !$0.allSatisfy { $0 == UInt8(ascii: ".") } }
        guard !parts.isEmpty else { return }
        list.append(Directory(parts: parts.suffix(2).map { Array($0) }, end: end))
    }

    /// Takes a pattern that a loop or an interpreter is given, or that stands for scripts of a shell.
    private mutating func takeGlob(_ word: ArraySlice<UInt8>, at glob: Int, behind last: ArraySlice<UInt8>) {
        let end = word[(word.lastIndex { Self.isOfGlob($0) || $0 == UInt8(ascii: "/") } ?? glob)...].dropFirst()
        let isOfShell = Self.ofShells.contains { end.suffix($0.utf8.count).elementsEqual($0.utf8) }
        guard isOfShell || last.elementsEqual("in".utf8) || ScriptNames.isInterpreter(last),
            let slash = word[..<glob].lastIndex(of: UInt8(ascii: "/"))
        else { return }
        take(word[..<slash], end: Array(end))
    }

    private static let ofShells = [".sh", ".bash", ".zsh", ".fish"]

    private static func isOfGlob(_ byte: UInt8) -> Bool { "*?[]".utf8.contains(byte) }

    private static func isOfWord(_ byte: UInt8) -> Bool { ShellCharacters.isFirstWord(byte) || isOfGlob(byte) }
}
