import Agents
import Core
import OrderedJSON
import Testing

@Suite struct ClaudeToolsTests {
    static let kinds: [(String, ToolKind)] = [
        ("Agent", .agent), ("AskUserQuestion", .question), ("Bash", .shellCommand), ("Edit", .fileChanges),
        ("EnterPlanMode", .other), ("ExitPlanMode", .plan), ("Glob", .search), ("Grep", .search), ("LS", .search),
        ("MultiEdit", .fileChanges), ("NotebookEdit", .fileChanges), ("Read", .read), ("Task", .agent),
        ("TaskCreate", .other), ("WebFetch", .fetch), ("WebSearch", .fetch), ("Write", .fileChanges),
        ("bash", .other), ("mcp__a__b", .mcpTool), ("mcp__a_b__c__d", .mcpTool), ("mcp__", .other),
        ("mcp__a", .other), ("mcp____b", .other), ("mcp__a__", .other), ("", .other),
    ]

    @Test(arguments: kinds)
    func saysWhatAToolDoes(name: String, kind: ToolKind) {
        let tool = ClaudeTools.tool(named: name)
        #expect(tool.name == name && tool.kind == kind)
    }

    @Test func namesAServersTool() {
        #expect(ClaudeTools.tool(named: "mcp__my_lab__echo").title == "my_lab/echo")
        #expect(ClaudeTools.tool(named: "mcp__a__b__c").title == "a/b__c")
        #expect(ClaudeTools.tool(named: "Odd").title == "Odd")
    }

    @Test func findsAMemberByWhatItIs() {
        let bash = ClaudeTools.tool(named: "Bash")
        #expect(bash.text(.command, in: ["command": "ls"]) == "ls")
        #expect(bash.string(.command, in: ["command": 7]) == nil && bash.string(.command, in: 7) == nil)
        #expect(bash.string(.url, in: ["url": "x"]) == nil, "a shell command has no address")
        let notebook = ClaudeTools.tool(named: "NotebookEdit")
        #expect(notebook.text(.file, in: ["file_path": "/b", "notebook_path": "/a"]) == "/a")
    }

    @Test(arguments: [
        (
            #"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#,
            ToolKind.shellCommand
        ),
        (
            #"{"sessionId":"s","hookEventName":"pre_tool_use","toolName":"run_terminal_command","toolInput":{}}"#,
            .shellCommand
        ),
        (#"{"sessionId":"s","hookEventName":"pre_tool_use","toolName":"lab__echo","toolInput":{}}"#, .mcpTool),
    ])
    func aCallHasItsKindFromTheDoorOn(input: String, kind: ToolKind) throws {
        #expect(try AgentEvent(hookInput: Array(input.utf8)).tool?.kind == kind)
    }
}
