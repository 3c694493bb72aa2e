import Glibc
import Platform
package import Store
package import Transport

/// Why the daemon did not start.
package enum StartError: Error, Sendable, CustomStringConvertible {
    case alreadyRunning(home: String, pid: Int32?, addresses: String?)
    case configuration(ConfigurationError)
    case foreignHome(String)
    case listen(ListenError)
    case openWithoutTLS(host: String)
    case store(StoreError)
    case system(String, code: Int32)
    case tls(String)

    package var description: String {
        switch self {
        case .alreadyRunning(let home, let pid, let addresses):
            "a daemon serves \(home) already\(pid.map { ": pid \($0)" } ?? "")\(addresses.map { ", \($0)" } ?? "")"
        case .configuration(let error): error.description
        case .foreignHome(let path): "\(path) is not a directory of this user; choose another with --home"
        case .listen(let error): error.description
        case .openWithoutTLS(let host):
            "\(host) is reached from other machines, and without TLS everybody on the way can read the tokens: set "
                + "\"tls\" to \"local-ca\" in config.json, or start it with --insecure"
        case .store(let error): error.descriptionAtStart
        case .system(let what, let code): "\(what) failed: \(SystemError(code: code))"
        case .tls(let reason): "\"tls\": \(reason)"
        }
    }
}
