/// A server of tools (Model Context Protocol) that a client gives the agent of its session.
package struct ToolServer: Sendable, Hashable {
    /// A variable of a process, or a header of requests.
    package struct Setting: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum Reach: Sendable, Hashable {
        case http(url: String, headers: [Setting])
        /// A program that the agent starts.
        case process(command: String, arguments: [String], environment: [Setting])
        /// HTTP with server-sent events, its older form.
        case sse(url: String, headers: [Setting])
    }

    package let name: String
    package let reach: Reach

    package init(name: String, reach: Reach) {
        self.name = name
        self.reach = reach
    }
}
