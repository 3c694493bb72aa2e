import CBench
import Glibc

/// Waits for many sockets at once; each has a number.
final class Poller {
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    private var events = [epoll_event](repeating: epoll_event(), count: 512)

    deinit { close(descriptor) }

    func add(_ socket: StreamSocket, number: Int) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(bitPattern: Int64(number))
        epoll_ctl(descriptor, EPOLL_CTL_ADD, socket.descriptor, &event)
    }

    func remove(_ socket: StreamSocket) {
        epoll_ctl(descriptor, EPOLL_CTL_DEL, socket.descriptor, nil)
    }

    /// The numbers of those that can be read, none if there are none in that time.
    func look(milliseconds: Int32) throws -> [Int] {
        let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        return events[..<max(0, Int(count))].map { Int(Int64(bitPattern: $0.data.u64)) }
    }

    /// The numbers of those that can be read.
    func wait(milliseconds: Int32 = 10_000) throws -> [Int] {
        let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        guard count > 0 || errno == EINTR else { throw BenchError("nothing came in \(milliseconds) ms") }
        return events[..<max(0, Int(count))].map { Int(Int64(bitPattern: $0.data.u64)) }
    }
}
