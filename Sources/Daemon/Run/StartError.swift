package import Host
import Platform
package import Store
package import Transport

/// The reasons for which the daemon did not start.
package enum StartError: Error, Sendable, CustomStringConvertible {
    case configuration(ConfigurationError)
    case home(HomeError)
    case listen(ListenError)
    case openWithoutTLS(host: String)
    case store(StoreError)
    case system(String, code: Int32)
    case tls(String)

    package var description: String {
        switch self {
        case .configuration(let error): error.description
        case .home(let error): error.description
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
