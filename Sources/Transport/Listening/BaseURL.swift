import Crypto
import Text

/// The beginning of every link that the daemon gives out. It is an origin, so it has no path.
package struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    package let isEncrypted: Bool
    /// A host name in lower case, or a numeric address without brackets.
    package let host: String
    package let port: UInt16

    package init(isEncrypted: Bool, host: String, port: UInt16) {
        self.isEncrypted = isEncrypted
        self.host = host
        self.port = port
    }

    /// Parses an origin such as `https://cdev.example` or `http://192.168.1.5:8766/`; `nil` for any other text.
    package init?(_ text: String) {
        guard let address = WebAddress(text), address.isOfWeb, ["", "/"].contains(address.rest),
            let name = CertificateName(address.authority.host),
            name.text.holds(":") == address.authority.isBracketed
        else { return nil }
        isEncrypted = address.isSecure
        host = name.text
        guard let digits = address.authority.port else {
            port = Self.defaultPort(isEncrypted)
            return
        }
        guard let number = UInt16(digits), number > 0 else { return nil }
        port = number
    }

    /// The origin as a browser writes it: without a slash at its end, and without the port that is the scheme's
    /// default.
    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let tail = port == Self.defaultPort(isEncrypted) ? "" : ":\(port)"
        return "\(isEncrypted ? "https" : "http")://\(name)\(tail)"
    }

    private static func defaultPort(_ isEncrypted: Bool) -> UInt16 { isEncrypted ? 443 : 80 }
}
