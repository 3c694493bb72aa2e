import Wire

/// What a browser says of the codings it reads (RFC 9110 section 12.5.3).
enum AcceptEncoding {
    /// True if gzip is named with a weight above zero. What is not understood is no yes: every browser reads the bytes
    /// as they are.
    static func takesGzip(_ headers: HTTPHeaders) -> Bool {
        headers.list("accept-encoding").contains { member in
            let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            return parts.first == "gzip" && parts.dropFirst().allSatisfy(isAboveZero)
        }
    }

    private static func isAboveZero(_ parameter: String) -> Bool {
        parameter.hasPrefix("q=") && Double(parameter.dropFirst(2)).map { $0 > 0 && $0 <= 1 } == true
    }
}
