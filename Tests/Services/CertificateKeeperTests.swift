import Core
import OrderedJSON
import Services
import Testing

@Suite struct CertificateKeeperTests {
    private let now = Timestamp(milliseconds: 1_795_170_600_000)  // 2026-11-20T10:30:00Z
    private let log = RecordingLog()

    private func shown(_ number: Int, from: Double = 0, until: Double = 1000) -> ShownCertificate<Int> {
        ShownCertificate(names: ["desk"], validFrom: now + from, validUntil: now + until, context: number)
    }

    private func made(_ script: [Scripted.Step]) throws -> CertificateKeeper<Scripted> {
        try CertificateKeeper(mode: "files", pin: nil, provider: Scripted(steps: script), at: now, log: log)
    }

    @Test func theFirstIsNeededAndALaterOneTakesItsPlace() throws {
        #expect(throws: Scripted.Failure.self) { try made([.failure("no file")]) }
        #expect(throws: (any Error).self) { try made([.nothing]) }
        let keeper = try made([.certificate(shown(1)), .nothing, .certificate(shown(2))])
        #expect(keeper.context == 1)
        #expect(keeper.look(at: now) == nil && keeper.context == 1)
        #expect(keeper.look(at: now) == 2 && keeper.context == 2)
        #expect(log.lines == ["certificate renewed"])
    }

    @Test func aProblemIsLoggedOnceAndShownUntilACertificateComes() throws {
        let keeper = try made([
            .certificate(shown(1)), .failure("gone"), .failure("gone"), .failure("broken"), .certificate(shown(2)),
        ])
        for _ in 0..<3 { #expect(keeper.look(at: now) == nil && keeper.context == 1) }
        #expect(log.lines == ["tls: gone", "tls: broken"])
        #expect(keeper.description(at: now)["problem"] == "broken")
        #expect(keeper.look(at: now) == 2)
        #expect(keeper.description(at: now)["problem"] == .null)
    }

    @Test(arguments: [(0.0, 0.0, "has ended"), (1, 1000, "begins at"), (0, 0.001, nil), (0, 1000, nil)])
    func whatClientsRefuseIsSaid(from: Double, until: Double, word: String?) throws {
        let keeper = try made([.certificate(shown(1, from: from, until: until))])
        let problem = keeper.description(at: now)["problem"]?.stringValue
        #expect(problem?.contains(word ?? "?") == word.map { _ in true })
        #expect(log.lines.count == (word == nil ? 0 : 1))
    }
}

/// Gives what it was told to, in order.
private struct Scripted: CertificateProvider {
    enum Step {
        case certificate(ShownCertificate<Int>)
        case failure(String)
        case nothing
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    var steps: [Step]

    mutating func next(at now: Timestamp) throws -> ShownCertificate<Int>? {
        switch steps.removeFirst() {
        case .certificate(let shown): return shown
        case .failure(let text): throw Failure(description: text)
        case .nothing: return nil
        }
    }
}
