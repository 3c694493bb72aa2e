import CPlatform

/// A thread for one piece of work that may block, and that ends with it.
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Throws where the system has no thread left.
    /// - Parameters:
    ///   - name: By it top, perf and the benchmark tell threads apart; its first 15 bytes.
    ///   - givesWay: Other threads have the processor before this one, where it is short.
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
