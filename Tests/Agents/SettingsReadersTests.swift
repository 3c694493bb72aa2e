import Agents
import Core
import Glibc
import TestSupport
import Testing

@Suite("Who else runs the hooks of Claude Code's settings")
struct SettingsReadersTests {
    private func readers(_ files: [String: String], settings: String = ".claude/settings.json") throws
        -> [SettingsReader]
    {
        let home = try TemporaryDirectory()
        for (name, text) in files {
            _ = mkdir(home(String(name.prefix { $0 != "/" })), 0o755)
            if !text.isEmpty { try home.write(text, to: name) }
        }
        return SettingsReader.all(of: home(settings), environment: ["HOME": home.path])
    }

    @Test func namesThoseThatAreThere() throws {
        #expect(try readers([:]).isEmpty)
        let both = try readers([".grok/": "", ".cursor/": ""])
        #expect(both.map(\.agent) == [.grok, .cursor] && both.allSatisfy { !$0.isOff })
        #expect(both.first?.remedy.contains("hooks = false") == true)
        #expect(try readers([".grok/": ""], settings: "elsewhere/settings.json").isEmpty)
    }

    @Test(arguments: [
        ("[compat.claude]\nhooks = false\n", true),
        ("[a]\nb = 1\n[compat.claude] # x\nrules = true\n hooks=false # off", true),
        ("compat.claude.hooks = false\n", true), ("[compat.claude]\nhooks = true\n", false),
        ("[compat.cursor]\nhooks = false\n", false), ("[compat.claude]\n[other]\nhooks = false\n", false),
        ("# [compat.claude]\nhooks = false\n", false), ("", false),
    ])
    func readsTheSwitch(_ config: String, _ isOff: Bool) throws {
        #expect(try readers([".grok/config.toml": config.isEmpty ? " " : config]).first?.isOff == isOff)
    }
}
