/// What a build makes of a file by itself: make by its built-in rules, compilers beside the source. A new file has it
/// replace one that somebody wrote: `main.l` an existing `main.c`.
enum BuiltNames {
    /// - Parameters:
    ///   - name: of the new file, or of a directory, which make takes for a file.
    ///   - isFile: such a file lies beside it.
    static func replacesOne(_ name: Substring.UTF8View, isFile: (String) -> Bool) -> Bool {
        made(of: name).contains { isFile(String(decoding: $0, as: UTF8.self)) }
    }

    /// Make looks into directories of these names for older versions of any file.
    static func holdsVersions(_ directory: Substring.UTF8View) -> Bool {
        let folded = SensitiveNames.folded(directory)
        return folded.elementsEqual("rcs".utf8) || folded.elementsEqual("sccs".utf8)
    }

    private static func made(of name: Substring.UTF8View) -> [[UInt8]] {
        var made = [Array(name) + Array(".out".utf8)]
        if name.starts(with: "s.".utf8) { made.append(Array(name.dropFirst(2))) }
        if name.suffix(2).elementsEqual(",v".utf8) { made.append(Array(name.dropLast(2))) }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return made }
        let stem = Array(name[..<dot])
        let suffix = String(decoding: SensitiveNames.folded(name[dot...].dropFirst()), as: UTF8.self)
        return made + (ends[suffix] ?? []).map { stem + Array($0.utf8) }
    }

    /// Source: `make -p` of GNU make 4.3, without what nobody writes (`.dvi`, `%.o`); and what tsc and mix write.
    private static let ends: [String: [String]] = [
        "c": [""], "cc": [""], "cjs": [".d.cts"], "cpp": [""], "cts": [".cjs", ".d.cts"], "def": [".sym"],
        "f": ["", ".f"], "js": [".d.ts"], "jsx": [".js", ".d.ts"],
        "l": ["", ".c", ".f", ".r"],
        "m": [""],
        "mjs": [".d.mts"], "mod": [""], "mts": [".mjs", ".d.mts"], "o": [""], "p": [""], "r": ["", ".f"],
        "s": ["", ".s"], "sh": [""],
        "texi": [".info"], "texinfo": [".info"], "ts": [".js", ".d.ts"], "tsx": [".js", ".jsx", ".d.ts"],
        "txinfo": [".info"], "xrl": [".erl"], "w": ["", ".c", ".tex"], "web": ["", ".p", ".tex"], "y": ["", ".c"],
        "ym": ["", ".m"],
        "yrl": [".erl"],
    ]
}
