/// What one request may cost, in bytes unless said otherwise. Past each ceiling stands one answer.
package struct HTTPLimits: Sendable, Equatable {
    /// The whole head, from the method to the empty line, and again all that a chunked body adds to its content (431).
    package var header = 16 * 1024
    /// Number of header fields (431).
    package var headerCount = 100
    /// The content, by its declared or its counted length (413).
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
