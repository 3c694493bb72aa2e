import OrderedJSON
import Wire

/// Shows the codecs to a comparison written in another language: reads inputs from stdin, writes what the codec made of
/// each to stdout, both with their length in four bytes before them.
///
/// An input is one letter (`H` requests, `R` responses, `S` frames to a server, `C` frames to a client), the size of the
/// pieces to feed in one byte (0: all at once), then the bytes.
@main
enum Probe {
    static func main() {
        let pipe = Pipe()
        while let input = pipe.read() {
            guard input.count >= 2 else { return }
            var output: [UInt8] = []
            answer(input[0], pieces(of: input[2...], size: Int(input[1]))).write(into: &output)
            guard pipe.write(output) else { return }
        }
    }

    private static func answer(_ codec: UInt8, _ pieces: [ArraySlice<UInt8>]) -> JSON {
        switch codec {
        case UInt8(ascii: "H"): HTTPProbe.requests(pieces)
        case UInt8(ascii: "R"): HTTPProbe.responses(pieces)
        case UInt8(ascii: "S"): WebSocketProbe.events(pieces, role: .server)
        default: WebSocketProbe.events(pieces, role: .client)
        }
    }

    private static func pieces(of bytes: ArraySlice<UInt8>, size: Int) -> [ArraySlice<UInt8>] {
        guard size > 0 else { return [bytes] }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { bytes[$0...].prefix(size) }
    }
}

/// Bytes as the comparisons read them.
func hex(_ bytes: some Sequence<UInt8>) -> JSON {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return .string(String(decoding: text, as: UTF8.self))
}
