/// A text that is made once as long as the lines repeat it.
struct RepeatedText {
    private var bytes: [UInt8] = []
    private var text: String?

    mutating func read(_ scanner: inout LineScanner) -> String? {
        guard let range = scanner.string() else { return nil }
        if text == nil || !scanner.repeats(range, bytes) {
            bytes.removeAll(keepingCapacity: true)
            scanner.append(range, to: &bytes, limit: 4096)
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }
}
