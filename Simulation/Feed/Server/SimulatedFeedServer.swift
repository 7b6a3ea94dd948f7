import BothyClient
import BothyContract

/// The one server of a feed's world: the model, what is still on its way to it, and its clock.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
final class SimulatedFeedServer: @unchecked Sendable {
    private struct Waiting {
        var call: FeedCall
        var requestId: String?
        var person: Int64
    }

    private(set) var model: FeedServerModel
    private(set) var now: Timestamp
    /// What people did, and what came here of it: judged by nothing that the model says.
    var ledger: FeedLedger
    private var waiting = [Waiting]()

    init(_ model: FeedServerModel, now: Timestamp) {
        self.model = model
        self.now = now
        ledger = FeedLedger(people: model.people)
    }

    func pass(seconds: Int64) { now = now.adding(seconds: seconds) }

    func perform(_ call: FeedCall, requestId: String?, by person: Int64) throws(Problem) -> FeedAnswer {
        let requestId = call.hasRequestId ? requestId : nil
        let answer = Result { () throws(Problem) in
            try model.perform(call, requestId: requestId, by: person, at: now)
        }
        ledger.arrived(call, requestId, by: person, answer)
        return try answer.get()
    }

    /// Holds a request that a slow network still carries.
    func hold(_ call: FeedCall, requestId: String, by person: Int64) {
        waiting.append(Waiting(call: call, requestId: requestId, person: person))
    }

    /// What was on its way arrives, in whatever order. Nobody hears the answers.
    ///
    /// - Returns: how many there were.
    func deliverWhatWaits(_ dice: inout SeededRandom) -> Int {
        let arriving = waiting.shuffled(using: &dice)
        waiting = []
        // What is refused is in the ledger, and told to nobody.
        for request in arriving { _ = try? perform(request.call, requestId: request.requestId, by: request.person) }
        return arriving.count
    }
}
