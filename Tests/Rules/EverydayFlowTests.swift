import Foundation
import OrderedJSON
import Testing

/// An everyday flow: a line that was approved for the session, and a next line with the same intent.
private struct Flow {
    let approved: String
    let next: String
    let mayAsk: Bool

    static func load(root: String) throws -> [Flow] {
        try JSON(parsing: RuleCase.text(of: "everyday-flows")).arrayValue.map { $0.map { Flow($0, root: root) } } ?? []
    }

    private init(_ json: JSON, root: String) {
        func line(_ member: String) -> String {
            (json[member]?.stringValue ?? "").replacingOccurrences(of: "ROOT", with: root)
        }
        approved = line("approved")
        next = line("next")
        mayAsk = json["expect"]?.stringValue == "ask"
    }
}

@Suite("Everyday flows, as data")
struct EverydayFlowTests {
    /// Limits, in percent of all flows.
    private static let leastSettled = 80.0
    private static let mostNeedless = 5.0

    @Test("most lines of an approved intent are settled, few are asked about needlessly, and none that has to be asked")
    func shares() throws {
        let repository = try #require(ScratchRepository.shared)
        let flows = try Flow.load(root: repository.root)
        try #require(flows.count >= 230)
        let settled = flows.filter { repository.settles($0.next, approved: $0.approved) != nil }
        for flow in settled where flow.mayAsk { Issue.record("settled: \(flow.approved) → \(flow.next)") }
        let needless = flows.filter {
            !$0.mayAsk && repository.settles($0.next, approved: $0.approved) == nil
        }
        let could = flows.count { !$0.mayAsk }
        func percent(_ count: Int, of all: Int) -> Double { (1000 * Double(count) / Double(all)).rounded() / 10 }
        let share = percent(settled.count, of: flows.count)
        let missed = percent(needless.count, of: flows.count)
        print(
            "Everyday flows: \(settled.count) of \(flows.count) settled (\(share) %),",
            "\(percent(could - needless.count, of: could)) % of those that may be; \(needless.count) asked",
            "needlessly (\(missed) %).")
        let list = needless.map { "\($0.approved) → \($0.next)" }.joined(separator: "\n")
        #expect(share >= Self.leastSettled, "asked needlessly:\n\(list)")
        #expect(missed <= Self.mostNeedless, "asked needlessly:\n\(list)")
    }
}
