package import Core

/// Checks the rights of connected callers again with each call.
package struct AccessChecks: AccessService {
    private let register: DeviceRegister
    private let broker: Broker
    private let refusals: RefusalLog

    package init(register: DeviceRegister, broker: Broker, refusals: RefusalLog) {
        self.register = register
        self.broker = broker
        self.refusals = refusals
    }

    package func admits(_ caller: Caller) async -> Bool {
        caller.deviceID.map(register.admits) ?? true
    }

    package func permit(of caller: Caller) -> CallPermit? { register.permit(of: caller) }

    package func refused(_ caller: Caller, method: String) async {
        refusals.warn("method refused", ["method": method, "by": caller.logName])
        // A local caller without the rights of the owner is a process inside an agent.
        if case .local(let pid) = caller.identity { await broker.agentRefused(method: method, pid: pid) }
    }
}
