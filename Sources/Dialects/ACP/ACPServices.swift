import Core
package import Services
import Wire

/// The services that all connections of editors share.
package struct ACPServices: Sendable {
    let rpc: RPCServices
    let parts: Parts
    let spelling: any ACPSpelling

    /// The services that the methods use.
    package struct Parts: Sendable {
        let devices: DeviceRegister
        let permissions: any PermissionService
        let sessions: any RunSessionService
        let subscribers: Subscribers<ACPSession>
        let transcripts: any TranscriptService
        let workspaces: any WorkspaceService
        /// Told when an editor has left a session.
        let listener: any ClientListener

        package init(
            devices: DeviceRegister, permissions: any PermissionService, sessions: any RunSessionService,
            subscribers: Subscribers<ACPSession>, transcripts: any TranscriptService,
            workspaces: any WorkspaceService, listener: any ClientListener
        ) {
            self.devices = devices
            self.permissions = permissions
            self.sessions = sessions
            self.subscribers = subscribers
            self.transcripts = transcripts
            self.workspaces = workspaces
            self.listener = listener
        }
    }

    package init(access: any AccessService, parts: Parts, rates: DeviceRates, log: any Log) {
        let groups: [any MethodGroup] = [
            ACPConnectionMethods(), ACPPromptMethods(parts: parts), ACPSessionMethods(parts: parts),
            ACPSettingMethods(parts: parts),
        ]
        self.init(groups, ACPVersion1(), access: access, parts: parts, rates: rates, log: log)
    }

    init(
        _ groups: [any MethodGroup], _ spelling: any ACPSpelling, access: any AccessService, parts: Parts,
        rates: DeviceRates, log: any Log
    ) {
        let table = MethodTable(groups)
        let dispatcher = Dispatcher(access: access, table: table, mostAnswered: .max) { method, right in
            .invalidRequest(
                "\(method.name) needs the right \"\(right.rawValue)\", which this caller does not have: a device gets it where it "
                    + "is paired again, a program inside an agent never")
        }
        rpc = RPCServices(dispatcher: dispatcher, rates: rates, log: log)
        self.parts = parts
        self.spelling = spelling
    }
}
