import Crypto
import Text

/// Where people find this daemon: the beginning of every link it gives out. An origin, so it has no path.
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

    /// `https://cdev.example`, `http://192.168.1.5:8766/`; nil for anything that is more or less than that.
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

    /// As a browser writes the origin: no slash at its end, no port where it goes without saying.
    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let tail = port == Self.defaultPort(isEncrypted) ? "" : ":\(port)"
        return "\(isEncrypted ? "https" : "http")://\(name)\(tail)"
    }

    private static func defaultPort(_ isEncrypted: Bool) -> UInt16 { isEncrypted ? 443 : 80 }
}
