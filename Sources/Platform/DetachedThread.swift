import CPlatform

/// Starts threads that each run one piece of work, which may block, and then end.
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` on a new thread. Throws where the system has no thread left.
    /// - Parameters:
    ///   - name: The name that `top`, `perf` and the benchmark show; the first 15 bytes count.
    ///   - givesWay: True lowers the thread's priority, so that other threads get a busy processor first.
    package static func start(
        _ name: StaticString, givesWay: Bool = false, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let work = Work {
            if givesWay { cplatform_thread_give_way() }
            body()
        }
        let context = Unmanaged.passRetained(work).toOpaque()
        let code = name.withUTF8Buffer { name in
            cplatform_thread_start(
                UnsafeRawPointer(name.baseAddress!).assumingMemoryBound(to: CChar.self),
                { Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().body() }, context)
        }
        guard code < 0 else { return }
        Unmanaged<Work>.fromOpaque(context).release()
        throw SystemError(code: -code)
    }
}
