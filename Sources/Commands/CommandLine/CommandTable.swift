/// Commands that serve one purpose, under one heading of the help.
package struct CommandGroup: Sendable {
    package let title: String
    package let commands: [Command]

    /// Every command, each in one group, in the order of the help and of the README.
    package static let all: [CommandGroup] = [
        CommandGroup(
            title: "Answer requests", commands: [.pending, .show, .allow, .deny, .answer, .pass, .watch]),
        CommandGroup(
            title: "Sessions, rules and decisions",
            commands: [.sessions, .transcript, .search, .gate, .rules, .rulesRevoke, .log, .explain]),
        CommandGroup(title: "Sessions that the daemon runs", commands: [.run, .send, .attach, .acp]),
        CommandGroup(
            title: "Workspaces", commands: [.workspaces, .workspacesAdd, .workspacesRemove, .workspacesTrust]),
        CommandGroup(
            title: "Devices and programs",
            commands: [
                .expose, .pair, .pairApprove, .pairReject, .devices, .devicesRevoke, .tokenCreate, .tokenList,
                .tokenRevoke,
                .notifyNtfy, .notifyWebhook, .notifyOff,
            ]),
        CommandGroup(
            title: "The daemon",
            commands: [.status, .doctor, .start, .stop, .restart, .serve, .configGet, .configSet, .configEdit]),
        CommandGroup(title: "Installation", commands: [.install, .uninstall, .completion, .man]),
    ]
}

extension Command {
    /// Every command, sorted.
    package static let all: [Command] = CommandGroup.all.flatMap(\.commands).sorted { $0.name < $1.name }
}
