import Notify
import OrderedJSON
import Transport

/// The keys about TLS, addresses and notifications.
extension ConfigurationReader {
    func tls(_ key: String, _ value: JSON) throws(ConfigurationError) -> TLSSetting {
        switch value.stringValue {
        case "local-ca": return .localCA
        case "off": return .off
        default: break
        }
        let known = ["certificate", "key"]
        if let object = value.objectValue, object.count == 2,
            case let paths = known.compactMap({ object[$0]?.stringValue }), paths.count == 2,
            paths.allSatisfy({ $0.hasPrefix("/") })
        {
            return .files(certificate: paths[0], key: paths[1])
        }
        throw fault(
            key, value, #""off", "local-ca" or {"certificate": PATH, "key": PATH} with two absolute paths"#)
    }

    func publicURL(_ key: String, _ value: JSON) throws(ConfigurationError) -> BaseURL {
        if let url = value.stringValue.flatMap(BaseURL.init) { return url }
        throw fault(key, value, #"an address such as "https://cdev.example:8443", without a path"#)
    }

    func proxies(_ key: String, _ value: JSON) throws(ConfigurationError) -> [AddressRange] {
        let ranges = value.arrayValue?.map { $0.stringValue.flatMap(AddressRange.init) }
        if let ranges, case let known = ranges.compactMap({ $0 }), known.count == ranges.count { return known }
        throw fault(key, value, #"a list of addresses such as "127.0.0.1" or "10.0.0.0/8""#)
    }

    func notify(_ value: JSON) throws(ConfigurationError) -> NotifySettings {
        do throws(NotifySettingError) { return try NotifyReader.settings(value) } catch {
            throw .invalid(source: path, key: error.key, value: error.value, allowed: error.allowed)
        }
    }

    func boolean(_ key: String, _ value: JSON) throws(ConfigurationError) -> Bool {
        if let flag = value.boolValue { return flag }
        throw fault(key, value, "true or false")
    }
}
