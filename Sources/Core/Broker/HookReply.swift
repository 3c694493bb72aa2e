/// An answer to a hook and, where the answer ends a request, the receipt for it.
package struct HookReply: Sendable, Hashable {
    package let answer: HookAnswer
    /// To be given to `Broker.delivered` once the connection took the answer or was closed before.
    package let receipt: DeliveryReceipt?
    /// A sentence for the sender where what the hook reports could not be written.
    package let failure: String?

    package init(_ answer: HookAnswer, receipt: DeliveryReceipt? = nil, failure: String? = nil) {
        self.answer = answer
        self.receipt = receipt
        self.failure = failure
    }
}

/// Names the opening of a request that an answer ends.
package struct DeliveryReceipt: Sendable, Hashable {
    package let requestID: String
    package let opening: Int

    package init(requestID: String, opening: Int) {
        self.requestID = requestID
        self.opening = opening
    }
}
