/// The files that a build makes from a source without being told: by make's built-in rules, or by a compiler next to
/// the source. A new file can make a build overwrite a file that a person wrote: `main.l` replaces an existing
/// `main.c`.
enum BuiltNames {
    /// True if a build would overwrite a file next to the new one.
    /// - Parameters:
    ///   - name: the name of the new file, or of a directory, which make treats like a file.
    ///   - isFile: whether a file of this name lies in the same directory.
    static func replacesOne(_ name: Substring.UTF8View, isFile: (String) -> Bool) -> Bool {
        made(of: name).contains { isFile(String(decoding: $0, as: UTF8.self)) }
    }

    /// True if make searches a directory of this name for older versions of any file.
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

    /// For each suffix, the suffixes of the files made from it. Source: `make -p` of GNU make 4.3 without results that
    /// nobody writes by hand (`.dvi`, `%.o`), and the output of tsc and mix.
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
