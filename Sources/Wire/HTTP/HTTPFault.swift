/// The reason why a message is refused: the status of the response and one sentence for the sender. A client that reads
/// a response uses only the sentence.
struct HTTPFault: Error {
    let status: HTTPStatus
    let message: String

    init(_ status: HTTPStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    static func malformed(_ message: String) -> HTTPFault { HTTPFault(.badRequest, message) }

    static let bareLineFeed = malformed("a line ends with a line feed alone; end lines with CR LF")
    static let headTooLarge = HTTPFault(.headerFieldsTooLarge, "the header fields are larger than this server takes")
}
