/// The words of lines such as `include $(TOP)/mk/*.mk`, and of the variables that they name, wherever these are given a
/// value: each once. A `*` stands for a variable.
struct IncludedMakefiles {
    private var waiting: [[UInt8]] = []
    private var known: Set<[UInt8]> = []
    private var variables: [[UInt8]: [[UInt8]]] = [:]
    private var included: Set<[UInt8]> = []
    private var patterns = 0

    /// The most words with a `*`, each of which is compared with the names of all files near.
    private static let mostPatterns = 64
    /// True if there were more words with a `*`.
    var isTooMany: Bool { patterns > Self.mostPatterns }

    /// The lines of a makefile that are not empty. A backslash joins one with the next.
    static func lines(of text: String) -> [ArraySlice<UInt8>] {
        var joined: [UInt8] = []
        joined.reserveCapacity(text.utf8.count)
        for byte in text.utf8 where byte != 0x0D {
            if byte == 0x0A, joined.last == UInt8(ascii: "\\") {
                joined[joined.count - 1] = UInt8(ascii: " ")
            } else {
                joined.append(byte)
            }
        }
        return joined.split(separator: 0x0A)
    }

    /// Returns the part behind `include`, or behind a word like it; `nil` for other lines.
    static func operands(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // A recipe: `gcc -include x.h`.
        guard line.first != 0x09 else { return nil }
        let words = line.split(maxSplits: 3) { $0 <= 0x20 || "$(".utf8.contains($0) }
        let first = words.first { !$0.elementsEqual("eval".utf8) && !$0.elementsEqual("call".utf8) }
        guard let first, statements.contains(Array(first)) else { return nil }
        return line[first.endIndex...]
    }

    private static let statements = Set(
        TaskNames.list("!include -include .include import import? include mod mod? sinclude"))

    mutating func define(_ name: [UInt8], _ value: ArraySlice<UInt8>) {
        variables[name, default: []].append(Array(value))
        if included.contains(name) { include(value) }
    }

    mutating func include(_ text: ArraySlice<UInt8>) {
        var texts = [Array(text)]
        while let text = texts.popLast() {
            for word in Self.words(of: text) where !FileKinds.ofGo.contain(word) && known.insert(word).inserted {
                let isOpen = word.contains(UInt8(ascii: "*"))
                // All of these near are known.
                if isOpen, TaskFile.isMakefile(TaskNames.last(of: String(decoding: word, as: UTF8.self))) { continue }
                if isOpen { patterns += 1 }
                waiting.append(word)
            }
            for name in text.split(whereSeparator: { !ShellCharacters.isFirstWord($0) || $0 == UInt8(ascii: "/") })
            where included.insert(Array(name)).inserted {
                texts += variables[Array(name)] ?? []
            }
        }
    }

    mutating func next() -> [UInt8]? { waiting.popLast() }

    /// The paths, with `*` for a variable, and without that in front: `$(TOP)/mk/a.mk` may lie anywhere. A variable alone is
    /// none.
    private static func words(of text: [UInt8]) -> [[UInt8]] {
        starred(text).split { $0 <= 0x20 || "'\"<>(){},$".utf8.contains($0) }.compactMap { word in
            let parts = word.split(separator: UInt8(ascii: "/"))
            let isAbsolute = word.first == UInt8(ascii: "/")
            let known = parts.drop { $0.allSatisfy { $0 == UInt8(ascii: "*") } }
            guard let last = known.last else { return nil }
            let front: [UInt8] = isAbsolute && known.count == parts.count ? [UInt8(ascii: "/")] : []
            // `mk/*`, `mk/$(NAME)`
            if last.allSatisfy({ $0 == UInt8(ascii: "*") }), known.count < 2 { return nil }
            let path = front + Array(known.joined(separator: [UInt8(ascii: "/")]))
            return known.count < parts.count && !path.contains(UInt8(ascii: "*")) ? Array("*/".utf8) + path : path
        }
    }

    /// The text with a `*` for each `$(NAME)`, `${NAME}`, `%`, `?` and `[…]`. What a function makes stands as it is written.
    private static func starred(_ text: [UInt8]) -> [UInt8] {
        var found: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "$"), let open = rest.first, "({".utf8.contains(open) {
                let name = rest.dropFirst().prefix { ShellCharacters.isFirstWord($0) }
                guard let end = rest.dropFirst(1 + name.count).first, ")}:".utf8.contains(end) else { continue }
                // `$(OBJECTS:.o=.d)`
                rest = rest.drop { !")}".utf8.contains($0) }.dropFirst()
                found.append(UInt8(ascii: "*"))
            } else {
                found.append("%?[]".utf8.contains(byte) ? UInt8(ascii: "*") : byte)
            }
        }
        return found
    }
}
