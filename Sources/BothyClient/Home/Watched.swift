/// Something that is looked at again and again, and told whenever it has changed.
///
/// What a device does lies in databases that several of its processes write; none of them tells the others.
package enum Watched {
    /// - Parameters:
    ///   - seconds: between two looks; nothing is looked at while nobody listens.
    ///   - look: what it throws ends the stream.
    package static func stream<Value: Equatable & Sendable>(
        every seconds: Double, by clock: any ClientClock, _ look: @escaping @Sendable () async throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        let told = Told<Value>()
        return AsyncThrowingStream {
            while true {
                if await told.hasBegun { try await clock.sleep(seconds: seconds) }
                let value = try await look()
                if await told.isNew(value) { return value }
            }
        }
    }

    private actor Told<Value: Equatable & Sendable> {
        private var last: Value?

        var hasBegun: Bool { last != nil }

        func isNew(_ value: Value) -> Bool {
            defer { last = value }
            return value != last
        }
    }
}
