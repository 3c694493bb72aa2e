/// Limits of one message, in bytes unless said otherwise, with the status that answers a request beyond each.
package struct HTTPLimits: Sendable, Equatable {
    /// The whole head, from the method to the empty line (431; 414 if its first line alone is longer). Chunk extensions
    /// and trailers together have the same limit again (431).
    package var header = 16 * 1024
    /// Number of header fields (431).
    package var headerCount = 100
    /// The content, by its declared or its received length (413).
    package var body = 10 * 1024 * 1024
    /// The request target (414).
    package var target = 8 * 1024

    package init() {}

    package init(header: Int, headerCount: Int, body: Int, target: Int) {
        self.header = header
        self.headerCount = headerCount
        self.body = body
        self.target = target
    }

    package static let standard = HTTPLimits()
}
