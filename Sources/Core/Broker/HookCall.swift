/// A hook's event and who sent it. A class: what waits for its answer keeps it as one pointer.
package final class HookCall: Sendable {
    package let event: AgentEvent
    package let source: HookSource

    package init(_ event: AgentEvent, from source: HookSource) {
        self.event = event
        self.source = source
    }
}
