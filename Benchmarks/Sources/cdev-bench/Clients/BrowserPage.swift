import OrderedJSON

/// A page in a window of its own, as large as a phone's, that tells by a call of `cdevBenchSeen` what is on its screen.
struct BrowserPage {
    private let browser: Chromium
    /// The protocol's name for the connection to this page.
    private let session: String

    /// - Parameter address: it need not have been loaded when this returns.
    init(_ browser: Chromium, _ address: String) throws {
        self.browser = browser
        let made = try browser.call("Target.createTarget", ["url": "about:blank", "newWindow": true])
        let attached = try browser.call(
            "Target.attachToTarget", ["targetId": made["targetId"] ?? nil, "flatten": true])
        guard let session = attached["sessionId"]?.stringValue else { throw BenchError("Chromium gave no page") }
        self.session = session
        try tell("Emulation.setDeviceMetricsOverride", Self.phone)
        // A page that is not in front draws nothing.
        try tell("Emulation.setFocusEmulationEnabled", ["enabled": true])
        try tell("Runtime.enable")
        try tell("Runtime.addBinding", ["name": "cdevBenchSeen"])
        try tell("Page.enable")
        try tell("Page.addScriptToEvaluateOnNewDocument", ["source": .string(BrowserScript.watching)])
        try tell("Page.navigate", ["url": .string(address)])
        _ = try browser.event("Page.loadEventFired", page: session)
    }

    private static let phone: JSON = ["width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true]

    private func tell(_ method: String, _ parameters: JSON = [:]) throws {
        _ = try browser.call(method, parameters, page: session)
    }

    /// Runs an expression to its end, and that of its promise.
    func run(_ expression: String) throws {
        let parameters: JSON = ["expression": .string(expression), "awaitPromise": true]
        let reply = try browser.call("Runtime.evaluate", parameters, page: session)
        if let trouble = reply["exceptionDetails"] { throw BenchError("\(expression): \(trouble.serialized())") }
    }

    /// Waits until the page has called `cdevBenchSeen` with this text.
    func seen(_ text: String) throws {
        while try browser.event("Runtime.bindingCalled", page: session)["payload"]?.stringValue != text {}
    }
}
