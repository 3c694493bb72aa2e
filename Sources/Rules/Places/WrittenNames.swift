/// Names of files that a rule for writing to a whole directory covers: source code, texts, styles and data.
///
/// The opposite list, of all files that some program starts or loads by itself, can never be complete.
enum WrittenNames {
    /// True if a rule for a directory covers writing to the path.
    /// - Parameter path: relative to the root.
    static func areKnown(_ path: Substring.UTF8View) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/")).map { SensitiveNames.folded($0) }
        guard let name = parts.last, parts.dropLast().allSatisfy(isKnownDirectory) else { return false }
        if plain.contains(name) { return true }
        let pieces = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return pieces.count > 1 && !pieces[0].isEmpty && suffixes.contains(Array(pieces[pieces.count - 1]))
            && !isMadeInto(name, withoutLast: pieces)
    }

    static func hasKnownSuffix(_ folded: [UInt8]) -> Bool {
        guard let dot = folded.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return suffixes.contains(Array(folded[(dot + 1)...]))
    }

    /// The most components of a path that are looked at. In no project a file lies deeper.
    static let mostComponents = 128

    /// True where a component begins with `-`, or where the file or a new directory begins with `@`: a program that
    /// gets the name through `*` or `*/*` takes it for an option, or for a file with options.
    static func playsOption(path: Substring.UTF8View, isThere: (String) -> Bool) -> Bool {
        let parts = PathText.components(path)
        return parts.count > mostComponents
            || parts.indices.contains { index in
                switch parts[index].first {
                case UInt8(ascii: "-"): true
                case UInt8(ascii: "@"):
                    index == parts.count - 1
                        || !isThere(parts[...index].map { String(Substring($0)) }.joined(separator: "/"))
                default: false
                }
            }
    }

    /// True where every program takes the name for a path, and a shell for one word if the name is pasted into a
    /// command, as make does. `b;rm x;.c` would run a command, `a b` is two words, git takes `:!a` for a pattern, deno
    /// fetches `npm:a`.
    static func isPlain(_ name: Substring.UTF8View) -> Bool {
        guard let first = name.first, !"@~+".utf8.contains(first) else { return false }
        return hasPlainBytes(name)
    }

    private static func hasPlainBytes(_ name: Substring.UTF8View) -> Bool {
        withoutRoute(name).allSatisfy { ShellCharacters.isFirstWord($0) || ",@%".utf8.contains($0) || $0 >= 0x80 }
    }

    /// True where a shell would expand a component with brackets, `[id].tsx`, to another existing name if the path is
    /// pasted into a command.
    static func standsForOne(path: Substring.UTF8View, isThere: (String) -> Bool) -> Bool {
        let parts = PathText.components(path).map { String(Substring($0)) }
        guard parts.count <= mostComponents else { return true }
        return parts.indices.contains { index in
            guard parts[index].utf8.first == UInt8(ascii: "[") else { return false }
            let front = (path.first == UInt8(ascii: "/") ? "/" : "") + parts[..<index].map { $0 + "/" }.joined()
            return parts[index].utf8.contains { letter in
                let rest = parts[index].utf8.drop { $0 != UInt8(ascii: "]") }.drop { $0 == UInt8(ascii: "]") }
                let isInner = ShellCharacters.isAlphanumeric(letter) || letter == UInt8(ascii: "_")
                return isInner && isThere(front + String(Unicode.Scalar(letter)) + String(Substring(rest)))
            }
        }
    }

    /// The name without the part that several frameworks use for routes: `(group)`, `[id].tsx`, `[...slug]`. To a shell
    /// `[id]` is one letter, so brackets next to other characters stay: `[s]ecrets.yaml` would expand to a name.
    private static func withoutRoute(_ name: Substring.UTF8View) -> Substring.UTF8View {
        let isInner = { (byte: UInt8) in ShellCharacters.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }
        let opening = name.prefix { "([".utf8.contains($0) }
        guard let first = opening.first, opening.count == 1 || !opening.contains(UInt8(ascii: "(")) else { return name }
        var rest = name.dropFirst(opening.count)
        if first == UInt8(ascii: "["), rest.starts(with: "...".utf8) { rest = rest.dropFirst(3) }
        let inner = rest.prefix(while: isInner)
        rest = rest.dropFirst(inner.count)
        let close = first == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "]")
        guard inner.count > 1, inner.first.map(ShellCharacters.isLetter) == true,
            rest.prefix(while: { $0 == close }).count == opening.count
        else { return name }
        rest = rest.dropFirst(opening.count)
        let isSuffix = first == UInt8(ascii: "[") && rest.first == UInt8(ascii: ".") && hasRouteSuffix(rest)
        return rest.isEmpty || isSuffix ? rest : name
    }

    private static func hasRouteSuffix(_ rest: Substring.UTF8View) -> Bool {
        routes.contains(SensitiveNames.folded(rest.dropFirst()))
    }

    private static let routes = Set(list("astro js jsx json.ts md mdx svelte ts tsx vue xml.ts"))

    /// True if every component is one word to a shell.
    static func isOfPlainBytes(path: Substring.UTF8View) -> Bool {
        PathText.components(path).allSatisfy(hasPlainBytes)
    }

    /// False for hidden directories, which belong to some program, and for those that hold installed or built files.
    private static func isKnownDirectory(_ name: [UInt8]) -> Bool {
        if name.first == UInt8(ascii: ".") { return name.elementsEqual(".github".utf8) }
        return !directories.contains(name) && !packageSuffixes.contains { name.suffix($0.count).elementsEqual($0) }
    }

    /// True where make would create a file that runs by itself: its built-in rules make `rules.mk` of `rules.mk.sh`.
    private static func isMadeInto(_ name: [UInt8], withoutLast pieces: [ArraySlice<UInt8>]) -> Bool {
        let last = Array(pieces[pieces.count - 1])
        guard pieces.count > 2 || sourcesOfMake.contains(last) else { return name.starts(with: "gnumakefile".utf8) }
        if pieces.count > 2, sourcesOfMake.contains(last), !suffixes.contains(Array(pieces[pieces.count - 2])) {
            return true
        }
        let made = Array(pieces.dropLast().joined(separator: [UInt8(ascii: ".")]))
        return SensitiveNames.runsByItself(path: Substring(decoding: made, as: UTF8.self).utf8)
    }

    /// Suffixes that make's built-in rules remove to create another file: `main.d` of `main.d.sh`.
    private static let sourcesOfMake = Set(list("c cc cpp f l m p r s sh w web y"))

    private static func list(_ names: String) -> [[UInt8]] {
        names.split(separator: " ").map { Array($0.utf8) }
    }

    private static let plain = Set(
        list("authors changelog contributors copying license notice readme todo .env.example"))

    private static let directories = Set(
        list("__pypackages__ _build _opam bower_components bundle cmakefiles deps elm-stuff jspm_packages pods vendor"))
    private static let packageSuffixes = list(
        ".dist-info .egg-info .egg .bundle .framework .app .xcodeproj .xcworkspace")

    private static let suffixes = Set(
        list(
            """
            c h cc cpp cxx c++ hh hpp hxx ipp inl m mm swift go rs zig nim v sv vhd vhdl cu cuh metal glsl vert frag comp \
            hlsl wgsl asm s f f90 f95 f03 adb ads pas java kt scala groovy clj cljs cljc cs fs fsi vb dart lua \
            js cjs mjs jsx ts cts mts tsx vue svelte astro py pyi rb php ex exs erl hrl hs lhs elm ml mli purs res resi r \
            jl pl pm t sh bash zsh fish ps1 psm1 sql graphql gql proto thrift avsc capnp fbs sol cr rkt scm lisp coffee tf \
            md mdx markdown rst txt adoc asciidoc tex bib org html htm xhtml xml svg css scss sass less styl pcss hbs ejs \
            pug jinja jinja2 j2 tmpl tpl gotmpl mustache handlebars liquid njk haml slim erb twig eex heex leex cshtml razor \
            blade xaml axaml qml ui json jsonc json5 jsonl ndjson geojson webmanifest yaml yml csv tsv ipynb pot arb \
            strings stringsdict resx xlf xliff ftl xsd xsl xslt wsdl rng snap feature http log diff patch dot puml mmd \
            drawio excalidraw
            """))
}
