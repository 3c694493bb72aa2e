import Agents
import OrderedJSON
import Testing

@Suite("Which entries are ours")
struct SettingsEntryTests {
    @Test(
        "by the script and the comment at the end",
        arguments: [
            ("'/home/u/.cdev/hooks/permission.sh' # cdev", false, true), ("/x/permission.sh # cdev", false, true),
            ("\"/x y/forward.sh\" # cdev", false, true), ("/x\\ y/forward.sh # cdev", false, true),
            ("'/it'\\''s/permission.sh' # cdev", false, true), ("permission.sh # cdev", false, true),
            ("/Users/Some One/.cdev/hooks/forward.sh session # cdev", false, true),
            ("/x/forward.sh session # cdev", false, true),
            ("'/x/forward.sh' tool-end # cdev  ", false, true), ("sh '/x/permission.sh' # cdev", false, true),
            ("/bin/sh /x/permission.sh # cdev", true, true), ("\"$HOME\"/.cdev/hooks/forward.sh # cdev", false, true),
            ("exec '/x y/permission.sh' # cdev", false, true), ("exec sh /x/forward.sh # cdev", false, true),
            // Early versions wrote no comment; the marker and the directory tell.
            ("/home/u/.cdev/hooks/forward.sh session", true, true), ("/home/u/.cdev/hooks/permission.sh", true, true),
            ("/Users/Some One/.cdev/hooks/permission.sh", true, true),
            ("/home/u/.cdev/hooks/permission.sh", false, false),
            // Somebody else's.
            ("/opt/acme/permission.sh", false, false), ("/opt/acme/permission.sh", true, false),
            ("echo hi # cdev", true, false), ("exec # cdev", true, false), ("exec true # cdev", true, false),
            ("exec exec /x/permission.sh # cdev", false, false),
            ("echo permission.sh # cdev", true, false), ("/x/permission.sh.bak # cdev", true, false),
            ("/x/mypermission.sh # cdev", false, false), ("/x/permission.sh # cdev2", true, false),
            ("/x/permission.sh #cdev", true, false), ("/x/permission.sh# cdev", true, false), ("# cdev", true, false),
            ("", true, false), ("true; /x/permission.sh # cdev", false, false),
            ("'/x/permission.sh # cdev", false, false),
            ("/x/other /x/permission.sh.d # cdev", false, false),
        ])
    func ours(command: String, isMarked: Bool, isOurs: Bool) throws {
        let entry: JSON = ["type": "command", "command": .string(command)]
        let group: JSON = isMarked ? ["_cdev_managed": true, "hooks": [entry]] : ["hooks": [entry]]
        let foreign: JSON = ["hooks": [["type": "command", "command": "true"]]]
        let settings: JSON = ["hooks": ["Setup": [foreign, group]]]
        let plan = try SettingsPlan.uninstalling(from: Array(settings.serialized().utf8), notes: nil)
        let left = try JSON(parsing: try #require(plan.after))["hooks"]?["Setup"]
        #expect(left == (isOurs ? [foreign] : [foreign, group]))
    }

    @Test("an entry without a command is not ours")
    func http() throws {
        let settings =
            #"{"hooks":{"Stop":[{"_cdev_managed":true,"hooks":[{"type":"http","url":"http://127.0.0.1/ # cdev"}]}]}}"#
        #expect(try SettingsPlan.uninstalling(from: Array(settings.utf8), notes: nil).isUnchanged)
    }

    @Test("foreign hooks in our group survive install and uninstall")
    func mixedGroup() throws {
        let settings = """
            {"hooks": {"PreToolUse": [{"matcher": "*", "_cdev_managed": true, "hooks": [
              {"type": "command", "command": "first"},
              {"type": "command", "command": "'/old/permission.sh' # cdev", "timeout": 60},
              {"type": "command", "command": "last", "timeout": 1.0}]}]}}
            """
        let installed = try installing(settings)
        let group = try JSON(parsing: try #require(installed.after))["hooks"]?["PreToolUse"]?.arrayValue
        #expect(group?.count == 1)
        let commands = group?.first?["hooks"]?.arrayValue?.compactMap { $0["command"]?.stringValue }
        #expect(commands == ["first", "exec '/home/u/.cdev/hooks/permission.sh' # cdev", "last"])
        let removed = try SettingsPlan.uninstalling(from: installed.after, notes: installed.notes)
        #expect(
            text(removed.after) == """
                {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
                  {"type": "command", "command": "first"},
                  {"type": "command", "command": "last", "timeout": 1.0}]}]}}
                """)
    }

    @Test("among foreign hooks of a narrower matcher ours moves to a group of its own")
    func narrowGroup() throws {
        let settings = """
            {"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"},\
            {"type":"command","command":"/old/permission.sh # cdev"}]}]}}
            """
        let groups = try JSON(parsing: try #require(try installing(settings).after))["hooks"]?["PreToolUse"]?.arrayValue
        #expect(groups?.count == 2)
        #expect(groups?.first == ["matcher": "Bash", "hooks": [["type": "command", "command": "x"]]])
        #expect(groups?.last?["matcher"] == "*")
    }

    @Test("entries that are there twice, on events we no longer want, or of early versions are put right")
    func strays() throws {
        let settings = """
            {"hooks":{"PreToolUse":[{"matcher":"*","_cdev_managed":true,"hooks":[{"type":"command","command":"/u/.cdev/hooks/permission.sh"}]},
            {"matcher":"Bash","hooks":[{"type":"command","command":"'/b/permission.sh' # cdev"}]}],
            "SessionStart":[{"matcher":"*","_cdev_managed":true,"hooks":[{"type":"command","command":"/u/.cdev/hooks/forward.sh session"}]}],
            "PreCompact":[{"hooks":[{"type":"command","command":"'/b/forward.sh' # cdev"}]},{"hooks":[]}]}}
            """
        let plan = try installing(settings)
        let hooks = try JSON(parsing: try #require(plan.after))["hooks"]
        #expect(hooks?["PreToolUse"]?.arrayValue?.count == 1)
        #expect(hooks?["SessionStart"]?.arrayValue?.count == 1)
        #expect(hooks?["PreCompact"] == [["hooks": []]])
        let kinds = Dictionary(uniqueKeysWithValues: plan.changes.map { ($0.event, $0.kind) })
        #expect(kinds["PreToolUse"] == .repaired && kinds["SessionStart"] == .repaired)
        #expect(kinds["PreCompact"] == .removed && kinds["Stop"] == .added)
        let again = try installing(text(plan.after), notes: plan.notes)
        #expect(again.isUnchanged)
    }

    @Test(
        "a path is one word of the shell, whatever is in it",
        arguments: ["/a b", "/it's", "/$HOME", "/`x`;\"y\"\\", "/''"])
    func quoting(path: String) throws {
        let installed = try installing("{}", InstallTarget(scripts: path, onFailure: .continue))
        let again = try installing(
            text(installed.after), InstallTarget(scripts: path, onFailure: .continue), notes: installed.notes)
        #expect(again.isUnchanged)
        let removed = try SettingsPlan.uninstalling(from: again.after, notes: again.notes)
        #expect(text(removed.after) == "{}")
    }
}
