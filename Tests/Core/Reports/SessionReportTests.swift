import Core
import Testing

/// What an event of a reported session means.
@Suite struct SessionReportTests {
    static func report(
        _ name: String, _ type: String? = nil, tool: String? = nil, message: String? = nil, prompt: String? = nil,
        cwd: String? = nil, session: String = "s1"
    ) -> SessionReport {
        SessionReport(
            machine: ReportingMachine(id: "m1", name: "box", platform: "linux"), sessionID: session, name: name,
            timestamp: "2026-11-22T07:18:04.875Z", cwd: cwd, message: message, notificationType: type, toolName: tool,
            prompt: prompt)
    }

    @Test(
        arguments: [
            ("SessionStart", nil, .active), ("UserPromptSubmit", nil, .active), ("SubagentStart", nil, .active),
            ("SubagentStop", nil, .active), ("Stop", nil, .waitingForInput), ("SessionEnd", nil, .ended),
            ("PermissionRequest", nil, .waitingForPermission),
            ("Notification", "permission_prompt", .waitingForPermission), ("Notification", "idle_prompt", .idle),
            ("Notification", nil, nil), ("Notification", "auth_success", nil), ("Notification", "IDLE_PROMPT", nil),
            ("PreToolUse", nil, nil), ("stop", nil, nil), ("SomethingNew", "idle_prompt", nil),
        ] as [(String, String?, ReportedStatus?)])
    func theStateBehindAnEvent(name: String, type: String?, status: ReportedStatus?) {
        #expect(ReportedStatus(after: Self.report(name, type)) == status)
    }

    @Test(
        arguments: [
            ("UserPromptSubmit", "fix it", "fix it"), ("UserPromptSubmit", "", nil), ("UserPromptSubmit", nil, nil),
            ("SessionStart", "fix it", nil),
            ("UserPromptSubmit", String(repeating: "a", count: 200), String(repeating: "a", count: 200)),
            ("UserPromptSubmit", String(repeating: "a", count: 201), String(repeating: "a", count: 200) + "…"),
            // 199 bytes and a character of two: the 200th byte would be half of it.
            (
                "UserPromptSubmit", String(repeating: "a", count: 199) + "éé", String(repeating: "a", count: 199) + "…"
            ),
            ("UserPromptSubmit", String(repeating: "€", count: 90), String(repeating: "€", count: 66) + "…"),
        ] as [(String, String?, String?)])
    func theTitleOfAPrompt(name: String, prompt: String?, title: String?) {
        #expect(Self.report(name, prompt: prompt).title == title)
    }

    @Test(
        arguments: [
            ("Stop", nil, nil, nil, .stop, "Session Stopped", "Session stopped: No reason given"),
            ("Stop", nil, nil, "done", .stop, "Session Stopped", "Session stopped: done"),
            (
                "PermissionRequest", nil, "Bash", nil, .permission, "Permission Required", "Permission required: Bash"
            ),
            (
                "PermissionRequest", nil, "Bash", "may I", .permission, "Permission Required",
                "Permission required: Bash — may I"
            ),
            (
                "Notification", "permission_prompt", nil, "may I", .permission, "Permission Required",
                "Permission required: may I"
            ),
            (
                "Notification", "permission_prompt", nil, nil, .permission, "Permission Required",
                "A session needs permission to continue"
            ),
            ("Notification", "idle_prompt", nil, nil, .idle, "Session Idle", "Session idle: Waiting for input"),
            ("Notification", "idle_prompt", nil, "well?", .idle, "Session Idle", "Session idle: well?"),
        ] as [(String, String?, String?, String?, ReportNotice.Kind, String, String)])
    func theWordsOfANotification(
        name: String, type: String?, tool: String?, message: String?, kind: ReportNotice.Kind, title: String,
        body: String
    ) {
        let notice = ReportNotice(of: Self.report(name, type, tool: tool, message: message))
        #expect(notice?.kind == kind && notice?.fallbackTitle == title && notice?.body == body)
    }

    @Test(arguments: ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "SubagentStop", "Notification"])
    func nobodyIsToldOfTheRest(name: String) {
        #expect(ReportNotice(of: Self.report(name)) == nil)
    }

    /// A device may send two megabytes; a row has two kilobytes of it, and a path.
    @Test func textsAreCut() {
        let long = String(repeating: "x", count: 1 << 20)
        let report = SessionReport(
            machine: ReportingMachine(id: "m1", name: long, platform: long), sessionID: "s1", name: long,
            timestamp: long, cwd: long, message: long, notificationType: long, toolName: long, prompt: long)
        let sizes = [
            report.machine.name, report.machine.platform, report.name, report.timestamp, report.cwd, report.message,
            report.notificationType, report.toolName,
        ].map { $0?.utf8.count }
        #expect(sizes == [256, 256, 256, 256, 4096, 1024, 256, 256])
    }
}

/// Which notifications come too soon behind another one.
@Suite struct ReportCooldownTests {
    private struct Step {
        let at: Int64
        let name: String
        var type: String?
        var session = "s1"
        let isTold: Bool
    }

    private func check(_ steps: [Step], line: SourceLocation = #_sourceLocation) throws {
        var cooldowns = ReportCooldowns()
        for step in steps {
            let notice = try #require(ReportNotice(of: SessionReportTests.report(step.name, step.type)))
            let isTold = cooldowns.admits(
                notice, session: step.session, reporter: "d_1", at: Uptime(milliseconds: step.at))
            #expect(isTold == step.isTold, "\(step.name) at \(step.at)", sourceLocation: line)
        }
    }

    @Test func stopsAndIdlingEachHalfAMinute() throws {
        try check([
            Step(at: 5_000, name: "Stop", isTold: true), Step(at: 34_999, name: "Stop", isTold: false),
            Step(at: 6_000, name: "Notification", type: "idle_prompt", isTold: true),
            Step(at: 7_000, name: "Stop", session: "s2", isTold: true),
            Step(at: 35_000, name: "Stop", isTold: true),
            Step(at: 35_999, name: "Notification", type: "idle_prompt", isTold: false),
            Step(at: 64_999, name: "Stop", isTold: false),
        ])
    }

    /// The agent asks, and says so six seconds later: that is one dialog.
    @Test func oneDialogIsOneNotification() throws {
        try check([
            Step(at: 5_000, name: "PermissionRequest", isTold: true),
            Step(at: 6_000, name: "PermissionRequest", isTold: true),
            Step(at: 11_000, name: "Notification", type: "permission_prompt", isTold: false),
            Step(at: 11_500, name: "Notification", type: "permission_prompt", session: "s2", isTold: true),
            Step(at: 12_000, name: "Notification", type: "permission_prompt", session: "s2", isTold: true),
            Step(at: 66_000, name: "Notification", type: "permission_prompt", isTold: true),
        ])
    }

    @Test func aFloodOfSessionsTakesNoMemory() throws {
        var cooldowns = ReportCooldowns()
        let stop = try #require(ReportNotice(of: SessionReportTests.report("Stop")))
        let ask = try #require(ReportNotice(of: SessionReportTests.report("PermissionRequest")))
        let told = (0...ReportCooldowns.mostKeys).filter { number in
            cooldowns.admits(stop, session: "s\(number)", reporter: "d_1", at: Uptime(milliseconds: 5_000))
        }
        #expect(told.count == ReportCooldowns.mostKeys)
        let isAskingTold = cooldowns.admits(ask, session: "asks", reporter: "d_1", at: Uptime(milliseconds: 5_000))
        let isLaterTold = cooldowns.admits(stop, session: "later", reporter: "d_1", at: Uptime(milliseconds: 36_000))
        #expect(isAskingTold && isLaterTold, "a question is always told")
    }
}
