import Announce
import Services
import Transport

extension Announcement {
    /// Tells the local network of the bridge's port; `nil` where it is not to be told, or cannot be.
    static func ofBridge(_ bridge: TCPListeners?, _ configuration: Configuration, _ log: any Log) -> Announcement? {
        guard configuration.acpAnnounced else { return nil }
        guard let port = bridge?.addresses.first(where: { !$0.isLoopback })?.port else {
            log.warning(
                "\"acp_announce\" is true, but no other machine reaches the bridge: set \"acp_port\", and \"host\" beyond "
                    + "loopback")
            return nil
        }
        let announcement = Announcement("cdev on \(MachineNames.first)", type: "_openagents._tcp", port: port) {
            event in
            switch event {
            case .announced(let name): log.info("the bridge is announced", ["name": name, "port": "\(port)"])
            case .failed(let why): log.warning("the bridge is not announced", ["why": why])
            }
        }
        if announcement == nil {
            log.warning("the bridge is not announced: install Avahi (libavahi-client3 and avahi-daemon)")
        }
        return announcement
    }
}
