import Agents
package import Core
package import OrderedJSON

/// Calls of Claude Code's tools by their names, as a hook's input makes them.
extension ToolCall {
    package init(name: String, input: JSON, useID: String?) {
        self.init(tool: ClaudeTools.tool(named: name), input: input, useID: useID)
    }
}

package enum Catalog {
    package static let claude: any ToolCatalog = ClaudeTools()
}

extension Tool {
    package static func claude(_ name: String) -> Tool { ClaudeTools.tool(named: name) }

    /// As a card tells it.
    package var listing: JSONObject {
        let names = members.all.map { ($0.role.rawValue, JSON.string($0.name)) }
        return ["kind": .string(kind.rawValue), "members": .object(JSONObject(names))]
    }
}

extension Policy {
    /// The shipped one, with another gate.
    package init() {
        self.init(passthroughTools: ClaudeTools.passthrough)
        // Most tests are about calls that are held before the agent's own dialog, whoever sits at its terminal.
        gate = .toolCall
    }
}
