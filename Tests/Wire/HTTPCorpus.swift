import Wire

extension HTTPRequestParser: Codec {}
extension HTTPResponseParser: Codec {}

/// Requests that a server accepts, and requests that it refuses, with the status of the response.
enum HTTPCorpus {
    static let accepted: [String] = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /health?verbose=1&x HTTP/1.0\r\n\r\n",
        "POST /rpc HTTP/1.1\r\nhost:a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /rpc HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n00A;q=\"x y\"\r\n0123456789\r\n0\r\nSum: 1\r\n\r\n",
        "POST /rpc HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nokGET /2 HTTP/1.1\r\nHost: a\r\nConnection: x , Close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: [::1]:8766\r\n\r\n",
        "GET http://user.example:80?q HTTP/1.1\r\nHost: other\r\nX-Empty:\r\nX-Blank: \t \r\nX-Text:\ta b\t\r\nX-Utf: Grüße\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHo",
    ]

    static let refused: [(request: String, code: Int)] = [
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: user@a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7F}b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}", 400),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /  HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
        ("GET /\r\n", 400),
        ("GET\r\n", 400),
        ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /ü HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 400),
        ("GET / HTTP/1\r\nHost: a\r\n\r\n", 400),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
        (chunked("x\r\n"), 400),
        (chunked("\r\n"), 400),
        (chunked("-1\r\n"), 400),
        (chunked("0x1\r\n"), 400),
        (chunked("1 \r\na\r\n"), 400),
        (chunked("1\na\r\n"), 400),
        (chunked("1\r\nab\r\n"), 400),
        (chunked("1\r\nab\n0\r\n\r\n"), 400),
        (chunked("1;\u{1}\r\na\r\n"), 400),
        (chunked("00000000000000001\r\na\r\n"), 400),
        (chunked("FFFFFFFFFFFFFFFF\r\n"), 413),
        (chunked("1\r\na\r\nFFFFFFFFFFFFFFFF\r\n"), 413),
        (chunked("0\r\nBad Trailer: 1\r\n\r\n"), 400),
        (chunked("0\r\nContent-Length: 1\r\n\r\n"), 400),
        (chunked("0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400),
        (chunked("0\r\nHost: a\r\n\r\n"), 400),
    ]

    /// The texts that mutations insert: everything that could confuse a parser.
    static let palette: [[UInt8]] = [
        "\r\n", "\n", "\r", " ", "\t", "\0", ":", ";", "0\r\n\r\n", "\r\n\r\n", "Content-Length: 4\r\n",
        "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "5\r\n", ",", "HTTP/1.0", "é", "\u{7F}", "FFFFFFFFFFFFFFFFFF",
    ].map { Array($0.utf8) }

    static func chunked(_ rest: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + rest
    }
}
