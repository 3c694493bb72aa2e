import Core
import Services
import Store

// The database fills the ports of the services.

extension Store: HistoryStore {}
extension Store: AnswerLinkStore {}
extension Store: KeptNoticeStore {}
extension Store: PushRegistrationStore {}
extension Store: PushSubscriptionStore {}
extension Store: ReportStore {}
extension Store: RunSessionStore {}
extension Store: WorkspaceStore {}

extension Store: DeviceStore {
    func create(_ device: Device) throws(DeviceFailure) {
        do throws(StoreError) { try createDevice(device) } catch {
            if case .deviceNameTaken = error.kind { throw .taken(name: device.name) }
            throw .store("nothing was made: \(error)")
        }
    }
}
