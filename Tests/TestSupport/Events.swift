/// Values that a test waits for, in order of arrival.
package struct Events<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    package init() {
        (stream, continuation) = AsyncStream<Value>.makeStream()
    }

    package func add(_ value: Value) {
        continuation.yield(value)
    }

    /// Throws where the task was cancelled.
    package func next() async throws -> Value {
        var iterator = stream.makeAsyncIterator()
        guard let value = await iterator.next() else { throw CancellationError() }
        return value
    }

    package func next(_ count: Int) async throws -> [Value] {
        var values: [Value] = []
        while values.count < count { values.append(try await next()) }
        return values
    }
}
