import Platform

/// Reads the bodies of requests, large ones on a thread beside the loop, so that none holds the loop up.
struct BodyReader: Sendable {
    private let lane = LaneExecutor()

    func read<Value: Sendable, Failure: Error>(
        _ bytes: [UInt8], _ make: @escaping @Sendable ([UInt8]) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard bytes.count > WorkLane.bytesAtOnce else { return try make(bytes) }
        let read = Task(executorPreference: lane) { () -> Result<Value, Failure> in
            Result { () throws(Failure) in try make(bytes) }
        }
        return try await read.value.get()
    }
}
