import Foundation
import Glibc

/// A daemon that plays one scene for each connection, on a thread of its own.
///
/// The class is safe to send: all mutable state is used under `lock`.
final class ScriptedDaemon: @unchecked Sendable {
    typealias Scene = @Sendable (RelayConnection) -> Void

    let directory: Directory
    let path: String
    private let lock = NSLock()
    private var listener: Int32
    private var requests: [Request] = []
    private var played = false
    private var waiting: [CheckedContinuation<[Request], Never>] = []

    /// Plays `scenes`, one connection after the other, then `others` for any more.
    init(_ scenes: [Scene], others: Scene? = nil) throws {
        directory = try Directory()
        path = directory.path + "/s.sock"
        listener = ScriptedDaemon.listen(path)
        Thread { [self] in play(scenes, others) }.start()
    }

    /// The requests received, once all scenes have been played.
    var received: [Request] {
        get async {
            await withCheckedContinuation { continuation in
                let ready: [Request]? = lock.withLock {
                    if played { return requests }
                    waiting.append(continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        }
    }

    /// Closes and removes the socket, and listens again after `span` milliseconds.
    func restart(after span: Int32) {
        let old = lock.withLock { listener }
        unlink(path)
        close(old)
        _ = poll(nil, 0, span)
        lock.withLock { listener = ScriptedDaemon.listen(path) }
    }

    /// Stops listening for good.
    func stop() {
        lock.withLock { if listener >= 0 { _ = shutdown(listener, Int32(SHUT_RDWR)) } }
    }

    private func play(_ scenes: [Scene], _ others: Scene?) {
        for scene in scenes { if !serve(scene) { break } }
        finish()
        if let others { while serve(others) {} }
        lock.withLock {
            close(listener)
            listener = -1
        }
    }

    private func serve(_ scene: Scene) -> Bool {
        let descriptor = accept(lock.withLock { listener }, nil, nil)
        guard descriptor >= 0 else { return false }
        let visitor = RelayConnection(descriptor: descriptor, daemon: self)
        scene(visitor)
        close(descriptor)
        return true
    }

    private func finish() {
        let waiters = lock.withLock {
            played = true
            return waiting
        }
        for waiter in waiters { waiter.resume(returning: lock.withLock { requests }) }
    }

    func record(_ request: Request) {
        lock.withLock { requests.append(request) }
    }

    private static func listen(_ path: String) -> Int32 {
        let descriptor = boundSocket(path)
        precondition(Glibc.listen(descriptor, 64) == 0)
        return descriptor
    }
}

/// A Unix socket bound to `path` on which nobody listens.
func boundSocket(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    precondition(result == 0, "cannot bind \(path)")
    return descriptor
}
