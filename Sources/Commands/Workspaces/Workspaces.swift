import OrderedJSON

extension Command {
    static let workspaces = Command(
        "workspaces", summary: "show the directories that devices may look into, and the sessions there",
        details: """
            A directory becomes a workspace when a session runs in it, or with `cdev workspaces add`. One that only a
            session made ends 30 days after the last one.
            """,
        options: [.json]
    ) { invocation in
        let result = try Places(invocation).client.call("workspace/list", ["include_git": true])
        let workspaces = result.list("workspaces")
        let ids = workspaces.map { $0.text("id") }
        ListOutput.print(
            invocation, result, ["ID", "NAME", "DIRECTORY", "BRANCH", "RUNNING", "ORIGIN", "LAST ACTIVITY"],
            workspaces.map { workspace in
                [
                    ShortID.text(workspace.text("id"), among: ids), workspace.text("name").shown(40),
                    workspace.text("path").shown(80), workspace["git"]?.text("branch").shown(40) ?? "",
                    workspace.text("active_session_count"), workspace.text("origin"), workspace.clock("last_active"),
                ]
            }, cutting: ["NAME", "DIRECTORY", "BRANCH"],
            empty: "no workspaces; start Claude Code in a project, or `cdev workspaces add PATH`")
    }

    static let workspacesAdd = Command(
        "workspaces add", operands: "PATH", 1...1, summary: "add the workspace of a directory, or rename it",
        details: """
            Devices with any rights may then look at its files and sessions, those that may drive may change them. The
            links of PATH are resolved.
            """,
        options: [
            .json, CommandOption("--create", nil, "make the directory if it is missing"),
            CommandOption("--name", "NAME", "what to call it; otherwise as the directory is called"),
        ]
    ) { invocation in
        var params: JSONObject = [
            "path": .string(Places.absolute(invocation.operands[0])),
            "create_if_missing": .bool(invocation.has("--create")),
        ]
        if let name = invocation["--name"] { params["name"] = .string(name) }
        let added = try Places(invocation).client.call("workspace/add", .object(params))
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(added.objectValue ?? [:])) }
        Terminal.write("\(added.text("name").shown(80)) added: \(added.text("path").shown(200))\n")
        if !added.text("note").isEmpty {
            Terminal.write(Paint(invocation.environment).bad("Note: \(added.text("note").shown(400))") + "\n")
        }
    }

    static let workspacesRemove = Command(
        "workspaces remove", operands: "ID", 1...1, summary: "remove a workspace; its directory stays",
        details: """
            ID is an id as `cdev workspaces` shows it, the beginning of one, a name, or a path. A session that runs there
            makes no workspace of it again; one that starts later does.
            """,
        options: [.json]
    ) { invocation in
        let client = try Places(invocation).client
        let id = try workspace(invocation.operands[0], among: client.call("workspace/list").list("workspaces"))
        let removed = try client.call("workspace/remove", ["workspace_id": .string(id)])
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(removed.objectValue ?? [:])) }
        Terminal.write("\(removed.text("name").shown(80)) removed; \(removed.text("path").shown(200)) is as it was\n")
    }

    private static func workspace(_ selector: String, among workspaces: [JSON]) throws(CommandFailure) -> String {
        let path = Places.absolute(selector)
        let named = workspaces.filter { $0.text("name") == selector || $0.text("path") == path }
        if named.count == 1 { return named[0].text("id") }
        let all = (named.isEmpty ? workspaces : named).map { (id: $0.text("id"), about: $0.text("path").shown(60)) }
        guard named.isEmpty else {
            throw CommandFailure(
                .usage,
                "\(selector.shown(60)) could be any of \(all.count) workspaces: \(ShortID.list(all)); give an id")
        }
        guard let id = try ShortID.find(selector, among: all, "workspaces") else {
            throw CommandFailure(.other, "there is no workspace \(selector.shown(60)); `cdev workspaces` lists them")
        }
        return id
    }
}
