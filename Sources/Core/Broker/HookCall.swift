/// A hook's event and the hook's sender. A class: a held call keeps both as one pointer, and no event is copied on its
/// way through the broker.
package final class HookCall: Sendable {
    package let event: AgentEvent
    package let source: HookSource

    package init(_ event: AgentEvent, from source: HookSource) {
        self.event = event
        self.source = source
    }
}
