import Wire

/// One file of the web page, with its headers.
struct PageFile: Sendable {
    /// Path in the repository's `web` directory.
    let path: String
    let body: [UInt8]
    /// SHA-256 in lower-case hexadecimal.
    let hash: String
    let headers: HTTPHeaders
    /// The headers of its gzip form. Its bytes are others, so the tag is a weak one (RFC 9110 section 8.8.3.3).
    let packedHeaders: HTTPHeaders

    init(_ path: String, _ body: [UInt8], hash: String) {
        self.path = path
        self.body = body
        self.hash = hash
        headers = Self.headers(of: path, tag: "\"\(hash)\"")
        var packed = Self.headers(of: path, tag: "W/\"\(hash)\"")
        packed.append("Content-Encoding", "gzip")
        packedHeaders = packed
    }

    private static func headers(of path: String, tag: String) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Content-Type": type(of: path), "ETag": tag]
        for (name, value) in policy { headers.append(name, value) }
        return headers
    }

    /// True if it gets much shorter; pictures are packed already.
    var isText: Bool { !path.hasSuffix(".png") }

    /// The headers of every file and the table of types, as one text to be hashed.
    static var fields: String {
        let sorted = types.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return (policy + sorted).map { "\($0): \($1)" }.joined(separator: "\n")
    }

    /// True if an entry of If-None-Match names this file (weak comparison, RFC 9110 section 13.1.2).
    func isNamed(by tag: String) -> Bool {
        (tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag)) == "\"\(hash)\""
    }

    /// Nothing from other origins, nothing inline but the pictures that a conversation or a file holds, for an image runs
    /// nothing, no markup made from text, no frame around the page. The one trusted-types policy makes the worker's URL,
    /// for which browsers require a trusted type.
    private static let contentPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types worker",
    ].joined(separator: "; ")

    private static let policy = [
        ("Cache-Control", "no-cache"), ("Content-Security-Policy", contentPolicy),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "no-referrer"), ("Vary", "Accept-Encoding"), ("X-Content-Type-Options", "nosniff"),
    ]

    private static func type(of path: String) -> String {
        path.split(separator: ".").last.flatMap { types[String($0)] } ?? "application/octet-stream"
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "png": "image/png", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]
}
