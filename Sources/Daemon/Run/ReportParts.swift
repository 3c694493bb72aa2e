import Core
import Services
import Transport

/// The parts that keep what machines report of their sessions, this one among them.
struct ReportParts: Sendable {
    let manager: ReportManager
    let own: OwnSessionReports

    init(_ resources: Resources, listener: any ReportListener) {
        manager = ReportManager(store: resources.store, listener: listener, clock: resources.clock)
        let machine = ReportingMachine(
            id: UUIDText.random(), name: MachineNames.first, platform: Self.platform)
        own = OwnSessionReports(manager, machine: machine, log: resources.log)
    }

    private static var platform: String {
        #if os(macOS)
            "mac"
        #else
            "linux"
        #endif
    }
}
