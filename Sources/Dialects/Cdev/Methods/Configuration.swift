import Core
import OrderedJSON

extension Method {
    static let configChange = Method(
        "config/change", right: .administer,
        summary: "Asks whether the caller may change the configuration; changes nothing. Commands that write it ask "
            + "first.",
        result: "success"
    ) { _ in ["success": true] }
}
