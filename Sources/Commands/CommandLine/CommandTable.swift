extension Command {
    /// Every command, sorted.
    package static let all: [Command] = [
        .allow, .deny, .devices, .devicesRevoke, .doctor, .explain, .install, .log, .pair, .pairApprove, .pairReject,
        .pass, .pending, .rules, .rulesRevoke, .serve, .sessions, .start, .status, .stop, .tokenCreate, .tokenList,
        .tokenRevoke, .uninstall, .watch,
    ]
}
