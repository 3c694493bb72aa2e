/// A difference as git writes it, in parts for the files.
package struct GitPatch: Sendable, Hashable {
    /// The part of one file.
    package struct Section: Sendable, Hashable {
        package let bytes: ArraySlice<UInt8>
        /// The paths that the part names; empty where they cannot be told.
        package let paths: [GitPath]
        package let isNew: Bool

        /// True if the content is for callers with the right to drive only, as is what cannot be told.
        package var isSensitive: Bool { paths.isEmpty || paths.contains { $0.isSensitive } }
    }

    package let sections: [Section]

    /// Reads a patch that was made with `--src-prefix=a/ --dst-prefix=b/` and `core.quotePath=false`.
    package init(_ output: [UInt8]) {
        var starts: [Int] = []
        var line = 0
        while line < output.count {
            // Lines of content begin with a space or a sign, so no content looks like a header.
            if Self.begins(output[line...], Self.header) || Self.begins(output[line...], Self.unmerged) {
                starts.append(line)
            }
            line = (output[line...].firstIndex(of: 10) ?? output.count) + 1
        }
        let ends = starts.dropFirst() + [output.count]
        sections = zip(starts, ends).map { Section(output[$0..<$1]) }
    }

    private static let header = Array("diff --".utf8)
    private static let unmerged = Array("* Unmerged path ".utf8)

    private static func begins(_ bytes: ArraySlice<UInt8>, _ start: [UInt8]) -> Bool {
        bytes.prefix(start.count).elementsEqual(start)
    }
}

extension GitPatch.Section {
    fileprivate init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var paths: Set<[UInt8]> = []
        var isNew = false
        var isUnclear = false
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            // The content of the file begins.
            if line.starts(with: "@@".utf8) { break }
            if line.starts(with: "new file mode".utf8) { isNew = true }
            switch HeaderLine(line) {
            case .other: break
            case .paths(let named): paths.formUnion(named)
            case .unclear: isUnclear = true
            }
        }
        self.isNew = isNew
        // A header that cannot be split is no harm if other lines name the paths.
        self.paths =
            isUnclear && paths.isEmpty ? [] : paths.sorted { $0.lexicographicallyPrecedes($1) }.map { GitPath($0) }
    }
}

/// The paths that one line before the content names.
private enum HeaderLine {
    case other
    case paths([[UInt8]])
    case unclear

    init(_ line: ArraySlice<UInt8>) {
        if let pair = Self.rest(of: line, "diff --git ") {
            self = Self.pair(pair).map { .paths($0) } ?? .unclear
            return
        }
        for start in [
            "diff --cc ", "diff --combined ", "rename from ", "rename to ", "copy from ", "copy to ",
            "* Unmerged path ",
        ] {
            guard let path = Self.rest(of: line, start) else { continue }
            self = Self.whole(path).map { .paths([$0]) } ?? .unclear
            return
        }
        for start in ["--- ", "+++ "] {
            guard let path = Self.rest(of: line, start), !path.elementsEqual("/dev/null".utf8) else { continue }
            // A path with a space has a tab after it, for programs that cut at spaces.
            self =
                Self.whole(path.last == 9 ? path.dropLast() : path).map { .paths([Array($0.dropFirst(2))]) } ?? .unclear
            return
        }
        self = .other
    }

    private static func rest(of line: ArraySlice<UInt8>, _ start: String) -> ArraySlice<UInt8>? {
        line.starts(with: start.utf8) ? line.dropFirst(start.utf8.count) : nil
    }

    private static func whole(_ path: ArraySlice<UInt8>) -> [UInt8]? {
        path.first == UInt8(ascii: "\"") ? QuotedPath.whole(path) : Array(path)
    }

    /// Both paths of `a/… b/…`. Unquoted ones can be told apart only if they are equal; else other lines name them.
    private static func pair(_ text: ArraySlice<UInt8>) -> [[UInt8]]? {
        if text.first == UInt8(ascii: "\"") {
            guard let first = QuotedPath.bytes(of: text), let second = whole(first.rest.dropFirst()) else { return nil }
            return [Array(first.bytes.dropFirst(2)), Array(second.dropFirst(2))]
        }
        if text.last == UInt8(ascii: "\""), let quote = text.firstIndex(of: UInt8(ascii: "\"")) {
            guard let second = whole(text[quote...]) else { return nil }
            return [Array(text[..<quote].dropLast().dropFirst(2)), Array(second.dropFirst(2))]
        }
        guard text.count >= 5, text.count % 2 == 1 else { return nil }
        let middle = text.startIndex + text.count / 2
        let (first, second) = (text[..<middle].dropFirst(2), text[(middle + 1)...].dropFirst(2))
        return first.elementsEqual(second) ? [Array(first)] : nil
    }
}

/// The difference between nothing and a file that git does not know.
package enum GitNewFile {
    /// Bytes in which git looks for a NUL, by which it tells binary files.
    private static let looked = 8000

    package static func patch(_ path: GitPath, _ file: GitFileContent) -> [UInt8] {
        let (old, new) = (name("a/", path), name("b/", path))
        let mode = file.isLink ? "120000" : file.isExecutable ? "100755" : "100644"
        var patch = Array("diff --git \(old) \(new)\nnew file mode \(mode)\n".utf8)
        if file.bytes.prefix(looked).contains(0) {
            return patch + Array("Binary files /dev/null and \(new) differ\n".utf8)
        }
        guard !file.bytes.isEmpty else { return patch }
        let isEnded = file.bytes.last == 10
        let count = file.bytes.count { $0 == 10 } + (isEnded ? 0 : 1)
        patch += Array("--- /dev/null\n+++ \(new)\n@@ -0,0 +1\(count == 1 ? "" : ",\(count)") @@\n".utf8)
        for line in (isEnded ? file.bytes.dropLast() : file.bytes[...]).split(
            separator: 10, omittingEmptySubsequences: false)
        {
            patch.append(UInt8(ascii: "+"))
            patch += line
            patch.append(10)
        }
        return isEnded || file.isCut ? patch : patch + Array("\\ No newline at end of file\n".utf8)
    }

    private static func name(_ side: String, _ path: GitPath) -> String {
        let plain = path.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 34 && $0 != 92 }
        guard plain, let text = String(validating: path.bytes, as: UTF8.self) else {
            return QuotedPath.text(of: Array(side.utf8) + path.bytes)
        }
        return side + text
    }
}
