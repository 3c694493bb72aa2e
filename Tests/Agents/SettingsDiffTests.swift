import Agents
import Testing

@Suite("What a dry run shows")
struct SettingsDiffTests {
    @Test("a new file, a change, nothing")
    func diffs() throws {
        let created = try installing(nil).unifiedDiff(path: "/s.json")
        #expect(created.hasPrefix("--- /dev/null\n+++ /s.json\n@@ -0,0 +1,"))
        let before = (1...9).map { "  \"k\($0)\": \($0)" }.joined(separator: ",\n")
        let plan = try installing("{\n\(before)\n}")
        let diff = plan.unifiedDiff(path: "/s.json")
        #expect(diff.hasPrefix("--- /s.json\n+++ /s.json\n@@ -7,5 +7,"))
        #expect(diff.contains("\n   \"k8\": 8,\n-  \"k9\": 9\n"))
        #expect(diff.hasSuffix("\n }\n\\ No newline at end of file\n"))
        let again = try installing(text(plan.after), notes: plan.notes)
        #expect(again.unifiedDiff(path: "/s.json").isEmpty)
        let removed = try SettingsPlan.uninstalling(from: try installing(nil).after, notes: try installing(nil).notes)
        #expect(removed.unifiedDiff(path: "/s.json").hasPrefix("--- /s.json\n+++ /dev/null\n@@ -1,"))
    }
}
