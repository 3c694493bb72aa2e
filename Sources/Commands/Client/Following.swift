import Glibc
import Platform

/// Follows the daemon's events for a command that goes on: says that it waits, and connects again after a loss.
enum Following {
    /// Milliseconds between two attempts to connect.
    private static let pause: UInt32 = 500

    /// Runs `body` with a stream; again, with a new one, each time the daemon has gone and is back. Returns never, or
    /// throws if the first connection fails, or for an error that is not the daemon's absence.
    static func run(
        _ places: Places, name: String, isApprover: Bool, _ invocation: Invocation,
        _ body: (inout EventStream) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        var stream = try EventStream(socketPath: places.socket, name: name, isApprover: isApprover)
        while true {
            do throws(CommandFailure) {
                try body(&stream)
            } catch {
                guard error.status == .noDaemon else { throw error }
            }
            say("the daemon is away; held calls wait for it for a few seconds. Trying again…")
            stream = try again(places, name: name, isApprover: isApprover)
            say("the daemon is back")
        }
    }

    /// A line on stderr, where it does not mix with what is followed.
    static func say(_ text: String) { Terminal.complain("cdev: \(text)") }

    private static func again(
        _ places: Places, name: String, isApprover: Bool
    ) throws(CommandFailure) -> EventStream {
        while true {
            do throws(CommandFailure) {
                return try EventStream(socketPath: places.socket, name: name, isApprover: isApprover)
            } catch {
                guard error.status == .noDaemon else { throw error }
                usleep(pause * 1000)
                // The reader of a pipe may have gone meanwhile: nothing else would end this loop.
                var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLHUP) != 0 { throw error }
            }
        }
    }
}
