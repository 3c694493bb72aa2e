import CPlatform
import Glibc

/// An error number of the operating system and what it means, for messages.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// A positive `errno`.
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// The error of the system call that failed last on this thread.
    package static var last: SystemError { SystemError(code: errno) }

    package var description: String {
        var text = [CChar](repeating: 0, count: 128)
        cplatform_error_text(code, &text, text.count)
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}

/// The result of a `CPlatform` function. Throws where that is a negative error number.
package func checked<Number: SignedInteger>(_ result: Number) throws(SystemError) -> Number {
    guard result >= 0 else { throw SystemError(code: Int32(-result)) }
    return result
}
