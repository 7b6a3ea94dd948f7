extension Array {
    /// Takes those that have come so far one step further, all at once. Who has failed takes no further step; a step that fails as a whole
    /// has failed for each.
    ///
    /// - Parameter step: answers for each that it is given, in their order.
    func further<Before, After>(
        _ step: ([Before]) async throws -> [Result<After, any Error>]
    ) async -> [Result<After, any Error>] where Element == Result<Before, any Error> {
        let going = compactMap { try? $0.get() }
        var taken: [Result<After, any Error>]
        do {
            taken = going.isEmpty ? [] : try await step(going)
        } catch {
            taken = going.map { _ in .failure(error) }
        }
        precondition(taken.count == going.count, "a step answers for each")
        taken.reverse()
        return map { before in before.flatMap { _ in taken.removeLast() } }
    }
}
