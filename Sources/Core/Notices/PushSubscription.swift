/// A device's Web Push subscription; each device has at most one.
package struct PushSubscription: Sendable, Hashable {
    package let deviceID: String
    package let deviceName: String
    /// An https URL of a push service; everybody who has it and the keys can send messages.
    package let endpoint: String
    /// The browser's public key (RFC 8291): an uncompressed point on P-256, 65 bytes.
    package let p256dh: [UInt8]
    /// The authentication secret (RFC 8291): 16 bytes.
    package let authentication: [UInt8]
    package let createdAt: Timestamp

    package init(
        deviceID: String, deviceName: String, endpoint: String, p256dh: [UInt8], authentication: [UInt8],
        createdAt: Timestamp
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.authentication = authentication
        self.createdAt = createdAt
    }

    /// The id of the notice channel that sends to this subscription.
    package var channelID: String { Self.channelID(device: deviceID) }

    package static func channelID(device id: String) -> String { "push \(id)" }
}
