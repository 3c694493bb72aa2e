package import Core
import Crypto
import OrderedJSON
import Platform

/// The token that proves to Apple's push service whose pushes these are: signed with the key of the configuration, and
/// renewed. Apple takes a token for an hour, and refuses tokens that are renewed more often than every 20 minutes.
package final class APNsToken: Sendable {
    private struct Made {
        let text: String
        let at: Timestamp
    }

    private let key: P256Key
    private let keyID: String
    private let teamID: String
    private let made = Locked<Made?>(nil)

    /// Seconds after which a token is renewed.
    package static let age: Double = 50 * 60
    /// Seconds before which a token is not renewed even if it was refused.
    package static let shortestAge: Double = 20 * 60
    /// Bytes; a key file has some 260.
    private static let longestFile = 16 << 10

    /// Reads the key file.
    package init(_ settings: NotifySettings.APNs) throws(NotifySettingError) {
        let bytes: [UInt8]?
        do throws(FileError) { bytes = try FileBytes.file(settings.keyFile, limit: Self.longestFile)?.bytes } catch {
            throw Self.fault(settings.keyFile, error.reason)
        }
        guard let bytes else { throw Self.fault(settings.keyFile, "there is no such file") }
        do throws(CryptoError) { key = try P256Key(pem: bytes) } catch {
            throw Self.fault(settings.keyFile, error.description)
        }
        (keyID, teamID) = (settings.keyID, settings.teamID)
    }

    private static func fault(_ path: String, _ reason: String) -> NotifySettingError {
        NotifySettingError(
            key: "notify.apns.key_file", value: JSON.string(path).serialized(),
            allowed: "the key for APNs as Apple gives it (.p8): \(reason)")
    }

    /// `nil` only if memory runs out. Made anew where the clock was set back, too: Apple refuses times to come.
    package func current(at now: Timestamp) -> String? {
        made.withLock { made in
            if let made, (0..<Self.age).contains(now.seconds(since: made.at)) { return made.text }
            let claims: JSON = ["iss": .string(teamID), "iat": .number(JSONNumber(Int(now.milliseconds / 1000)))]
            guard let text = JSONWebToken.es256(["alg": "ES256", "kid": .string(keyID)], claims, by: key) else {
                return nil
            }
            made = Made(text: text, at: now)
            return text
        }
    }

    /// Discards a token that the service calls expired, so that the next one is new.
    /// - Returns: False if the token is too young to be renewed: this machine's clock is wrong then.
    package func expire(_ text: String, at now: Timestamp) -> Bool {
        made.withLock { current in
            guard let made = current, made.text == text else { return true }
            guard now.seconds(since: made.at) >= Self.shortestAge else { return false }
            current = nil
            return true
        }
    }
}
