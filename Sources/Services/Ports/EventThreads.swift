/// The loop's thread, and a thread beside it for events that take long to encode.
package protocol EventThreads: Sendable {
    /// Calls the bodies beside the loop, one after the other.
    /// - Parameter weight: Bytes of the event, about.
    func beside(weight: Int, _ body: @escaping @Sendable () -> Void)
    /// Calls the body on the loop, in the order of such calls.
    func onLoop(_ body: @escaping @Sendable () -> Void)
}
