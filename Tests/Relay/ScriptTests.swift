import Foundation
import Testing

/// The hook scripts, uninstalled and as the installer writes them.
@Suite(.timeLimit(.minutes(1)))
struct ScriptTests {
    /// Debian's /bin/sh is dash; elsewhere it is bash.
    static let shells = ["/bin/sh", "/bin/bash"].filter { FileManager.default.isExecutableFile(atPath: $0) }
    static let answer = RestartTests.answer

    static func source(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../hooks").standardizedFileURL
        return try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
    }

    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// A copy with the three lines filled in, in a directory whose name needs quoting.
    private func install(
        _ name: String, _ directory: Directory, relay: String, socket: String, onFailure: String
    ) throws -> String {
        let values = ["relay": relay, "socket": socket, "on_failure": onFailure]
        let lines = try Self.source(name).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let key = values.keys.first(where: { line.hasPrefix($0 + "=") }) else { return String(line) }
            return key + "=" + Self.quoted(values[key] ?? "")
        }
        let path = directory.path + "/" + name
        try lines.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private static func directory() throws -> Directory { try Directory(#"/a 'b" $c\d"#) }

    /// A link and not a copy: a file that another test's new process inherited open for writing cannot be executed.
    private func linkToRelay(_ directory: Directory) throws -> String {
        let path = directory.path + "/cdev-hook"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: relay)
        return path
    }

    @Test(arguments: ["permission.sh", "forward.sh"])
    func eachOfTheThreeLinesIsThereOnce(_ name: String) throws {
        let lines = try Self.source(name).split(separator: "\n")
        for line in ["relay=cdev-hook", "socket=", "on_failure=continue"] {
            #expect(lines.filter { $0 == line }.count == 1)
            #expect(lines.filter { $0.hasPrefix(line.prefix { $0 != "=" } + "=") }.count == 1)
        }
        #expect(lines.first == "#!/bin/sh")
        #expect(lines.allSatisfy { !$0.contains("jq") && !$0.contains("exit 2") && !$0.contains("[[") })
    }

    @Test(arguments: shells)
    func installedCopiesNeedNoEnvironment(_ shell: String) async throws {
        let directory = try Self.directory()
        let link = try linkToRelay(directory)
        let daemon = try ScriptedDaemon([Self.answer, { $0.readRequest() }])
        let socket = directory.path + "/s.sock"
        symlink(daemon.path, socket)
        let ask = try install("permission.sh", directory, relay: link, socket: socket, onFailure: "continue")
        let hostile = [
            "CDEV_SOCKET": "/nonexistent", "CDEV_HOME": "/nonexistent", "IFS": "/ -", "PATH": "/nonexistent",
        ]
        let outcome = await run(shell, [ask], environment: hostile)
        #expect(outcome.output == AnswerTests.allow)
        #expect(outcome.status == 0)
        let tell = try install("forward.sh", directory, relay: link, socket: socket, onFailure: "block")
        let told = await run(shell, [tell], environment: hostile)
        #expect(told.output == "" && told.status == 0)
        #expect(await daemon.received.map(\.body) == [Array(preToolUse.utf8), Array(preToolUse.utf8)])
    }

    @Test(arguments: shells)
    func theRepositorysCopiesFindTheRelayInThePath(_ shell: String) async throws {
        let directory = try Directory()
        _ = try linkToRelay(directory)
        let daemon = try ScriptedDaemon([Self.answer, { $0.readRequest() }])
        let environment = ["PATH": directory.path, "CDEV_SOCKET": daemon.path]
        let hooks = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../hooks").standardizedFileURL.path
        #expect(await run(shell, [hooks + "/permission.sh"], environment: environment).output == AnswerTests.allow)
        let told = await run(shell, [hooks + "/forward.sh"], environment: environment)
        #expect(told.output == "" && told.status == 0)
        #expect(await daemon.received.count == 2)
        let without = await run(shell, [hooks + "/permission.sh"], environment: ["PATH": "/nonexistent"])
        expectNoOpinion(without)
    }

    @Test(arguments: shells)
    func aProjectsSettingsCannotChooseTheSocket(_ shell: String) async throws {
        let directory = try Self.directory()
        let link = try linkToRelay(directory)
        let hostile = try ScriptedDaemon([], others: Self.answer)
        defer { hostile.stop() }
        let environment = [
            "CDEV_SOCKET": hostile.path, "CDEV_HOME": hostile.directory.path, "HOME": hostile.directory.path,
            "socket": hostile.path, "relay": "/bin/true", "on_failure": "continue", "ENV": "/nonexistent",
        ]
        let none = directory.path + "/none.sock"
        let open = try install("permission.sh", directory, relay: link, socket: none, onFailure: "continue")
        expectNoOpinion(await run(shell, [open], environment: environment))
        let block = try install("permission.sh", directory, relay: link, socket: none, onFailure: "block")
        try expectRefusal(await run(shell, [block], environment: environment))
        let asked = await run(shell, [block], environment: environment, input: permissionRequest)
        #expect(asked.output == "{}" && asked.status == 0)
    }

    @Test(arguments: shells, ["missing", "not executable", "a directory", "empty"])
    func aRelayThatCannotRun(_ shell: String, _ way: String) async throws {
        let directory = try Self.directory()
        let path = directory.path + "/cdev-hook"
        switch way {
        case "not executable": _ = FileManager.default.createFile(atPath: path, contents: Data("x".utf8))
        case "a directory": mkdir(path, 0o755)
        case "empty":
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            chmod(path, 0o755)
        default: break
        }
        let open = try install("permission.sh", directory, relay: path, socket: "/s", onFailure: "continue")
        expectNoOpinion(await run(shell, [open]))
        let block = try install("permission.sh", directory, relay: path, socket: "/s", onFailure: "block")
        for input in [
            preToolUse, "", "{}", "not JSON", #"{"hook_event_name": "PermissionRequest"}"#,
            #"{"cwd":"\"hook_event_name\":\"PermissionRequest\"","hook_event_name":"PreToolUse"}"#,
            #"{"hook_event_name":"PreToolUse","tool_input":{"hook_event_name":"PermissionRequest"}}"#,
        ] {
            try expectRefusal(await run(shell, [block], input: input))
        }
        let asked = await run(shell, [block], input: permissionRequest)
        #expect(asked.output == "{}" && asked.status == 0)
        for input in [
            #"{"hookEventName":"pre_tool_use","sessionId":"s","toolInput":{}}"#,
            #"{"hookEventName":"pre_tool_use","toolInput":{"hook_event_name":"PermissionRequest"}}"#,
        ] {
            try expectGroksRefusal(await run(shell, [block], input: input))
        }
        try expectRefusal(
            await run(
                shell, [block],
                input: #"{"hook_event_name":"PreToolUse","tool_input":{"hookEventName":"pre_tool_use"}}"#))
        let cursors = await run(shell, [block], input: #"{"conversation_id":"c","hook_event_name":"preToolUse"}"#)
        #expect(cursors.output == "{}" && cursors.status == 0)
        let tell = try install("forward.sh", directory, relay: path, socket: "/s", onFailure: "block")
        let told = await run(shell, [tell])
        #expect(told.output == "" && told.status == 0 && told.errors == "")
    }
}
