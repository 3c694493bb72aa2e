import Crypto
import Host
import Wire

/// The web page: files that are the same for everybody, so they need no token and hold nothing of anybody's.
///
/// Read and hashed when the page is asked for the first time: a daemon nobody opens a browser for pays nothing.
enum StaticFiles {
    private static let files = table(of: WebFile.all)

    /// Whether `path` is one of them.
    static func has(_ path: String) -> Bool { files[path] != nil }

    /// The file, or 304 where the browser has it already; nil where there is none of that path.
    static func answer(_ request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[request.path] else { return nil }
        let known = request.headers.list("if-none-match")
        let isKnown = known.contains("*") || known.contains { file.isNamed(by: $0) }
        return HTTPResponse(
            isKnown ? .notModified : .ok, headers: file.headers, body: isKnown ? [] : file.body)
    }

    private static func table(of webFiles: [WebFile]) -> [String: StaticFile] {
        var hashes: [(path: String, hash: String)] = []
        var table: [String: StaticFile] = [:]
        for file in webFiles where file.path != worker {
            let made = StaticFile(path: file.path, body: file.bytes)
            table[file.path] = made
            hashes.append((file.path, made.hash))
        }
        // Two names of one page. Its own path is no third: a worker would have to keep it twice.
        table["/"] = table.removeValue(forKey: "/index.html")
        table["/pair"] = table["/"]
        // What an answer link leads to; POST there answers.
        table["/a"] = table["/a.html"]
        if let file = webFiles.first(where: { $0.path == worker }) {
            table[worker] = StaticFile(path: worker, body: list(of: hashes) + file.bytes)
        }
        return table
    }

    private static let worker = "/worker.js"

    /// Stands before the worker's code, so that a change of any file is a change of the worker, and browsers notice.
    /// A kept file keeps the fields it came with, so a change of those counts too.
    private static func list(of hashes: [(path: String, hash: String)]) -> [UInt8] {
        let entries = hashes.map { path, hash in "\"\(path == "/index.html" ? "/" : path)\":\"\(hash)\"" }
        let fields = StaticFile.hash(Array(StaticFile.fields.utf8))
        return Array("const FILES = {\(entries.joined(separator: ","))};\nconst FIELDS = \"\(fields)\";\n".utf8)
    }
}

/// One file as it is sent.
private struct StaticFile: Sendable {
    let body: [UInt8]
    /// SHA-256 in lower-case hexadecimal.
    let hash: String
    let headers: HTTPHeaders

    init(path: String, body: [UInt8]) {
        self.body = body
        hash = Self.hash(body)
        var headers: HTTPHeaders = ["Content-Type": Self.type(of: path), "ETag": "\"\(hash)\""]
        for (name, value) in Self.policy { headers.append(name, value) }
        self.headers = headers
    }

    /// Everything that is said with every file, and the types of all of them: one text.
    static var fields: String {
        let sorted = types.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return (policy + sorted).map { "\($0): \($1)" }.joined(separator: "\n")
    }

    static func hash(_ bytes: [UInt8]) -> String {
        Digest.hex(Digest.sha256(bytes))
    }

    /// Whether an entry of If-None-Match is this file (compared weakly, RFC 9110 section 13.1.2).
    func isNamed(by tag: String) -> Bool {
        (tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag)) == "\"\(hash)\""
    }

    /// Nothing from elsewhere, nothing in line, no markup made from text, no frame around the page. The one policy of
    /// trusted types makes the worker's address, which browsers ask for as such.
    private static let contentPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types worker",
    ].joined(separator: "; ")

    private static let policy = [
        ("Cache-Control", "no-cache"), ("Content-Security-Policy", contentPolicy),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
    ]

    private static func type(of path: String) -> String {
        path.split(separator: ".").last.flatMap { types[String($0)] } ?? "application/octet-stream"
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "png": "image/png", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]
}
