import Core
import OrderedJSON
import Store
import Testing

/// A start reads a bounded part of the texts of requests, whatever is in them.
struct StartBudgetTests {
    private func reopened(_ requests: [PermissionRequest]) async throws -> (Store, [PermissionRequest]) {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit(requests.map { .request($0) }, .normal)
        try await store.close(nextSequence: 1)
        let (again, remembered) = try await directory.open()
        return (again, remembered.requests)
    }

    private func request(_ number: Int, bytes: Int, resolution: Resolution? = nil) -> PermissionRequest {
        let id = "r_" + String(1_000_000 + number)
        let input: JSON = ["command": .string(String(repeating: "x", count: bytes))]
        return Samples.request(id, input: input, at: 1_000_000_000 + Int64(number), resolution: resolution)
    }

    /// - Parameter read: The number of requests, of two hundred, whose inputs are read: 64, or 64 KiB of text.
    @Test(arguments: [(0, 64), (9_000, 7), (17_000, 0)])
    func readsTheInputsOfFewOpenRequests(_ bytes: Int, _ read: Int) async throws {
        let written = (0..<200).map { request($0, bytes: bytes) }
        let (_, found) = try await reopened(written)
        #expect(found.map(\.id) == written.map(\.id))
        #expect(found.suffix(read) == written.suffix(read))
        for (found, written) in zip(found, written).dropLast(read) {
            #expect(found.input.bytesElsewhere == written.input.text.utf8.count)
            #expect(found.patterns == written.patterns && found.relayToken == written.relayToken)
        }
    }

    private func answered(_ number: Int) -> PermissionRequest {
        var resolution = Samples.resolution(at: 1_000_000_000 + Int64(number))
        resolution.update = KeptJSON(["command": .string(String(repeating: "y", count: 40_000) + "\(number)")])
        resolution.isConfirmed = false
        return request(number, bytes: 9_000, resolution: resolution)
    }

    /// Of 128 KiB, four changed inputs of 40,000 bytes use the last; of 512 KiB, 58 inputs fit.
    @Test func readsTheAnswersOfFewEndedRequests() async throws {
        let written = (0..<100).map { answered($0) }
        let (store, found) = try await reopened(written)
        #expect(found.map(\.id) == written.map(\.id))
        #expect(found.suffix(4) == written.suffix(4))
        #expect(found.count { $0.input.bytesElsewhere == nil } == 58)
        for (found, written) in zip(found, written).dropLast(4) {
            #expect(found.resolution?.update?.bytesElsewhere != nil)
            #expect(try await store.changedInput(ofRequest: written.id) == written.resolution?.update)
        }
    }

    @Test func writingAnAnswerKeepsWhatWasNotRead() async throws {
        let written = (0..<20).map { answered($0) }
        let (store, found) = try await reopened(written)
        var unread = try #require(found.first)
        #expect(unread.resolution?.update?.bytesElsewhere != nil)
        unread.resolution?.isDelivered = true
        try await store.commit([.request(unread)], .normal)
        #expect(try await store.changedInput(ofRequest: unread.id) == written[0].resolution?.update)
        let entry = try await store.history(HistoryQuery()).entries.first { $0.request.id == unread.id }
        #expect(entry?.request.resolution?.update == written[0].resolution?.update)
        #expect(entry?.request.input == written[0].input && entry?.request.resolution?.isDelivered == true)
    }

    /// A correction takes the answer back, and its changed input with it.
    @Test func aCorrectionHasNoChangedInput() async throws {
        let (store, found) = try await reopened((0..<20).map { answered($0) })
        var lost = try #require(found.first)
        lost.resolution = Samples.resolution(.pass, by: .lost)
        try await store.commit([.request(lost)], .normal)
        #expect(try await store.changedInput(ofRequest: lost.id) == nil)
        #expect(try await store.changedInput(ofRequest: "r_none") == nil)
    }
}
