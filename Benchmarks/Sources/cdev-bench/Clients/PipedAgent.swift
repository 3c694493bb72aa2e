/// An agent whose output comes through a pipe.
final class PipedAgent {
    private let child: Child
    private let reader: PieceReader

    init(_ bench: Bench) throws {
        child = try Launch(bench.programs.bench, ["--part", "agent"]).start(pipes: true)
        reader = PieceReader(child.output)
    }

    func piece() throws -> Nanoseconds {
        child.send(Array(#"{"type":"user","uuid":"u","message":{"content":"piece"}}"#.utf8) + [0x0A])
        return try reader.next()[0]
    }
}
