import Platform
import Wire

/// The web page: files that are the same for everybody, so they need no token and hold nothing of anybody's.
///
/// Read and hashed when the page is asked for the first time: a daemon nobody opens a browser for pays nothing.
package final class PageFiles: Sendable {
    package typealias File = (path: String, bytes: [UInt8])

    /// Where they are served.
    let paths: [String]
    private let load: @Sendable () -> [File]
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let made = Locked<[String: PageFile]?>(nil)

    /// - Parameters:
    ///   - paths: of the files, with a slash before each: `/index.html`.
    ///   - load: reads them all.
    ///   - sha256: the SHA-256 digest of bytes.
    package init(
        paths: [String], load: @escaping @Sendable () -> [File], sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.paths = paths.flatMap { Self.addresses[$0] ?? [$0] }
        self.load = load
        self.sha256 = sha256
    }

    /// The page has two addresses, and its own path is no third: a worker would have to keep it twice. `/a` is what an
    /// answer link leads to; POST there answers.
    private static let addresses = ["/index.html": ["/", "/pair"], "/a.html": ["/a.html", "/a"]]
    private static let worker = "/worker.js"

    /// The file, or 304 where the browser has it already.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard let file = table[request.path] else { return .error(.notFound, "there is no such file") }
        let known = request.headers.list("if-none-match")
        let isKnown = known.contains("*") || known.contains { file.isNamed(by: $0) }
        return HTTPResponse(
            isKnown ? .notModified : .ok, headers: file.headers, body: isKnown ? [] : file.body)
    }

    private var table: [String: PageFile] {
        made.withLock { made in
            let table = made ?? makeTable()
            made = table
            return table
        }
    }

    private func makeTable() -> [String: PageFile] {
        let files = load()
        let others = files.filter { $0.path != Self.worker }.map { PageFile($0.path, $0.bytes, hash: hash($0.bytes)) }
        let worker = files.first { $0.path == Self.worker }.map { worker in
            let bytes = list(of: others) + worker.bytes
            return PageFile(worker.path, bytes, hash: hash(bytes))
        }
        var table: [String: PageFile] = [:]
        for file in others + (worker.map { [$0] } ?? []) {
            for address in Self.addresses[file.path] ?? [file.path] { table[address] = file }
        }
        return table
    }

    /// Stands before the worker's code, so that a change of any file is a change of the worker, and browsers notice.
    /// A kept file keeps the fields it came with, so a change of those counts too.
    private func list(of files: [PageFile]) -> [UInt8] {
        let entries = files.map { "\"\($0.path == "/index.html" ? "/" : $0.path)\":\"\($0.hash)\"" }
        let fields = hash(Array(PageFile.fields.utf8))
        return Array("const FILES = {\(entries.joined(separator: ","))};\nconst FIELDS = \"\(fields)\";\n".utf8)
    }

    /// In lower-case hexadecimal.
    private func hash(_ bytes: [UInt8]) -> String {
        sha256(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
