import Platform
import Wire

/// The web page. Its files are the same for everybody and hold no data of the user, so they need no token.
///
/// The files are read and hashed at the first request for one, so a daemon whose page nobody opens pays nothing.
package final class PageFiles: Sendable {
    package typealias File = (path: String, bytes: [UInt8])

    /// The paths at which the files are served.
    let paths: [String]
    private let load: @Sendable () -> [File]
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let gzip: @Sendable ([UInt8]) -> [UInt8]?
    private let made = Locked<[String: PageFile]?>(nil)
    /// The gzip forms that were asked for, by path.
    private let packed = Locked<[String: [UInt8]]>([:])

    /// - Parameters:
    ///   - paths: Paths of the files, with a slash before each: `/index.html`.
    ///   - load: Reads all files.
    ///   - sha256: Returns the SHA-256 digest of bytes.
    ///   - gzip: Returns the gzip form of bytes; `nil` if that is not possible now.
    package init(
        paths: [String], load: @escaping @Sendable () -> [File], sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        gzip: @escaping @Sendable ([UInt8]) -> [UInt8]?
    ) {
        self.paths = paths.flatMap { Self.addresses[$0] ?? [$0] }
        self.load = load
        self.sha256 = sha256
        self.gzip = gzip
    }

    /// The paths of files that are not served under their own. The page is at `/` and `/pair` but not at `/index.html`,
    /// which the worker would have to cache a second time. `GET /a` is the page of an answer link; `POST /a` answers.
    private static let addresses = [
        "/index.html": ["/", "/pair"], "/a.html": ["/a.html", "/a"], "/swagger/index.html": ["/swagger/", "/swagger"],
    ]
    /// Files of a page for programmers, which no phone has to keep.
    private static let apart = "/swagger/"
    private static let worker = "/worker.js"
    /// The scripts that the pages name and the worker, each served with everything it imports. A worker that is no module,
    /// as all browsers run one, cannot import by itself.
    private static let entries = ["/js/main.js", "/js/answer.js", worker]

    /// The file, or 304 if the browser has it already.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard let file = table[request.path] else { return .error(.notFound, "there is no such file") }
        let known = request.headers.list("if-none-match")
        let isKnown = known.contains("*") || known.contains { file.isNamed(by: $0) }
        if isKnown { return HTTPResponse(.notModified, headers: file.headers, body: []) }
        if file.isText, AcceptEncoding.takesGzip(request.headers), let form = packed(file) {
            return HTTPResponse(.ok, headers: file.packedHeaders, body: form)
        }
        return HTTPResponse(.ok, headers: file.headers, body: file.body)
    }

    /// Its gzip form, a quarter of its bytes. Made once, when somebody asks for it.
    private func packed(_ file: PageFile) -> [UInt8]? {
        packed.withLock { forms in
            if forms[file.path] == nil { forms[file.path] = gzip(file.body) }
            return forms[file.path]
        }
    }

    private var table: [String: PageFile] {
        made.withLock { made in
            let table = made ?? makeTable()
            made = table
            return table
        }
    }

    private func makeTable() -> [String: PageFile] {
        let (files, bundled) = joined(load())
        let others = files.filter { $0.path != Self.worker }.map { PageFile($0.path, $0.bytes, hash: hash($0.bytes)) }
        let worker = files.first { $0.path == Self.worker }.map { worker in
            let kept = others.filter { !bundled.contains($0.path) && !$0.path.hasPrefix(Self.apart) }
            let bytes = list(of: kept) + worker.bytes
            return PageFile(worker.path, bytes, hash: hash(bytes))
        }
        var table: [String: PageFile] = [:]
        for file in others + (worker.map { [$0] } ?? []) {
            for address in Self.addresses[file.path] ?? [file.path] { table[address] = file }
        }
        return table
    }

    /// The files with whole entries, and the paths of modules that no page asks for by themselves any more.
    private func joined(_ files: [File]) -> (files: [File], bundled: Set<String>) {
        let scripts = files.filter { $0.path.hasSuffix(".js") }
        let modules = Dictionary(scripts.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }) { first, _ in
            first
        }
        let entries = Self.entries.map { ($0, ModuleBundle(entry: $0, of: modules)) }
        let bundles = Dictionary(entries.compactMap { path, made in made.map { (path, $0) } }) { first, _ in first }
        // A module that one entry brings may still be fetched by another that is served without a bundle.
        let isWhole = entries.allSatisfy { $0.1 != nil }
        let bundled = isWhole ? bundles.values.reduce(into: Set()) { $0.formUnion($1.paths) } : []
        return (
            files.map { file in bundles[file.path].map { (file.path, Array($0.text.utf8)) } ?? file },
            bundled.subtracting(Self.entries)
        )
    }

    /// Put before the worker's code, so that a change of any file changes the worker, and browsers notice. A cached
    /// file keeps the headers it came with, so a change of the headers has to change the worker too.
    private func list(of files: [PageFile]) -> [UInt8] {
        let entries = files.map { "\"\($0.path == "/index.html" ? "/" : $0.path)\":\"\($0.hash)\"" }
        let fields = hash(Array(PageFile.fields.utf8))
        return Array("const FILES = {\(entries.joined(separator: ","))};\nconst FIELDS = \"\(fields)\";\n".utf8)
    }

    /// SHA-256 in lower-case hexadecimal.
    private func hash(_ bytes: [UInt8]) -> String {
        sha256(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
