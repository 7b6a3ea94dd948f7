import BothyContract

/// The one server of a world: the model, what is still on its way to it, and what it ever acknowledged.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
package final class SimulatedServer: @unchecked Sendable {
    private struct Waiting {
        var call: ServerCall
        var requestId: String
        var device: String
    }

    package var model = ServerModel()
    private var waiting: [Waiting] = []
    /// Every content that it said yes to.
    package private(set) var acknowledged: Set<ContentHash> = []

    package init() {}

    package func perform(
        _ call: ServerCall, requestId: String?, by device: String
    ) throws(Problem) -> ServerAnswer {
        let answer = try model.perform(call, requestId: requestId, by: device)
        if case .upload = call, let checksum = answer.revision?.checksum { acknowledged.insert(checksum) }
        return answer
    }

    /// Holds a request that a slow network still carries.
    func hold(_ call: ServerCall, requestId: String, by device: String) {
        waiting.append(Waiting(call: call, requestId: requestId, device: device))
    }

    /// What was on its way arrives, in the order of its sending. Nobody hears the answers.
    ///
    /// - Returns: the contents among them: nobody can call back what is on its way.
    @discardableResult
    package func deliverWhatWaits() -> [[UInt8]] {
        let arriving = waiting
        waiting = []
        for request in arriving {
            _ = try? perform(request.call, requestId: request.requestId, by: request.device)
        }
        return arriving.compactMap { request in
            guard case .upload(_, let content) = request.call else { return nil }
            return content
        }
    }
}
