/// An answer and, for a question somebody or something settled, which one it ends.
package struct HookReply: Sendable, Hashable {
    package let answer: HookAnswer
    /// Give it to `Broker.delivered` once the connection took the answer, or did not.
    package let receipt: DeliveryReceipt?

    package init(_ answer: HookAnswer, receipt: DeliveryReceipt? = nil) {
        self.answer = answer
        self.receipt = receipt
    }
}

package struct DeliveryReceipt: Sendable, Hashable {
    package let requestID: String
    package let opening: Int

    package init(requestID: String, opening: Int) {
        self.requestID = requestID
        self.opening = opening
    }
}
