import Crypto
import Glibc
import Platform
package import Services
import Wire

/// The key that signs push messages, stored in a file, and the check of subscriptions.
package final class PushKeyFile: PushSender {
    private let path: String
    private let hosts: [String]
    private let key = Locked<P256Key?>(nil)

    /// - Parameters:
    ///   - path: The key file, mode 0600; created when the key is first needed.
    ///   - hosts: The hosts of accepted push services; `*.name` matches every name below `name`.
    package init(path: String, hosts: [String]) {
        self.path = path
        self.hosts = hosts
    }

    package func publicKey() throws(NoticeFailure) -> String { Base64.encodeForURL(try sender().publicBytes) }

    package func check(_ keys: PushKeys) throws(NoticeFailure) {
        guard let endpoint = PushEndpoint(keys.endpoint) else {
            throw .invalid("\"endpoint\" must be an https address without a port")
        }
        guard endpoint.isOn(hosts) else {
            throw .invalid("push services are taken at \(hosts.joined(separator: ", ")) only (notify.push_hosts)")
        }
        guard P256Key.isPoint(keys.p256dh), keys.authentication.count == 16 else {
            throw .invalid("\"keys\" must hold p256dh, a point on P-256 (65 bytes), and auth (16 bytes)")
        }
    }

    /// The key in the file, or a new key that is written there.
    func sender() throws(NoticeFailure) -> P256Key {
        // Under the lock, so that only one of two first callers creates the file.
        let found = key.withLock { key -> Result<P256Key, NoticeFailure> in
            if let key { return .success(key) }
            do throws(NoticeFailure) {
                let found = if let kept = try read() { kept } else { try make() }
                key = found
                return .success(found)
            } catch {
                return .failure(error)
            }
        }
        return try found.get()
    }

    private func read() throws(NoticeFailure) -> P256Key? {
        guard access(path, F_OK) == 0 else { return nil }
        var status = stat()
        // An empty file is left by a daemon that died while it created the file; no key of it was ever used.
        if stat(path, &status) == 0, status.st_size == 0 { return nil }
        guard stat(path, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0 || chmod(path, 0o600) == 0,
            let bytes = FileBytes.read(path, limit: 128),
            let key = Base64.decodeEither(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
                .flatMap(P256Key.init(privateBytes:))
        else {
            throw .unable(
                "\(path) holds no key that can be used; remove it, restart, and let each device subscribe again")
        }
        return key
    }

    private func make() throws(NoticeFailure) -> P256Key {
        let key = P256Key.generate()
        let bytes = Array((Base64.encodeForURL(key.privateBytes) + "\n").utf8)
        do throws(FileError) {
            try AtomicFile.replace(path, with: bytes)
        } catch {
            throw .unable("no key could be kept: \(error)")
        }
        return key
    }
}
