import BothyContract

/// One thing that happens in a feed's world. What was left to chance is in it as numbers, so that a shorter schedule means the same
/// things.
package enum FeedEvent: Equatable, Sendable {
    /// A person does something at a device: it is written down, shown at once, and sent later.
    case does(device: Int, FeedIntent)
    /// A device sends what waits, and asks what is new.
    case exchange(device: Int, FeedConditions)
    /// A device's process is killed between two steps; what is committed stays.
    case kill(device: Int)
    /// A device has no way to the server any more, or has one again.
    case signal(device: Int, isThere: Bool)
    /// A device's calendar is set back, or forward.
    case clockJump(device: Int, seconds: Int64)
    /// The server's clock is.
    case serversClockJump(seconds: Int64)
    /// Requests that a slow network held arrive, in whatever order.
    case arrivals(dice: UInt64)
    /// An author edits a post in a browser.
    case edit(post: Int, text: Int)
    /// A person decides about what the server refused: with other words, or to give it up.
    case decide(device: Int, text: Int?)
}

/// What a person does in the feed. Numbers pick among what is shown when it happens.
package enum FeedIntent: Equatable, Sendable {
    /// - Parameters:
    ///   - text: 0 for none, which the server refuses.
    ///   - people: whom it names, for a post to people.
    case publish(text: Int, PostAudience.Kind, people: [Int])
    case interact(post: Int, PostInteraction)
    case comment(post: Int, reply: Int?, text: Int)
    case deletePost(Int)
    case deleteComment(post: Int, Int)
    case follow(person: Int, Bool)
}

/// What is around one exchange of a device.
package struct FeedConditions: Equatable, Sendable {
    /// Decides what the network does to each request.
    package var dice: UInt64
    package var faults: NetworkFaults
    /// The device crashes at this one of its calls to the network, counted from 1.
    package var crashAt: Int?
    /// Seconds that go by before.
    package var seconds: Int
    /// Pages of the feed that it asks for.
    package var pages: Int
    /// A post that is opened then, with its comments.
    package var opens: Int?
    /// Whether it asks who is there.
    package var asksForPeople: Bool

    package init(
        dice: UInt64 = 0, faults: NetworkFaults = .none, crashAt: Int? = nil, seconds: Int = 10, pages: Int = 1,
        opens: Int? = nil, asksForPeople: Bool = false
    ) {
        self.dice = dice
        self.faults = faults
        self.crashAt = crashAt
        self.seconds = seconds
        self.pages = pages
        self.opens = opens
        self.asksForPeople = asksForPeople
    }

    /// For a line of what happened.
    var words: String {
        var words = [String]()
        if faults != .none { words.append(faults == .offline ? "offline" : "bad network") }
        if let crashAt { words.append("crash at call \(crashAt)") }
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }
}

extension FeedEvent: ShrinkableStep {
    package var weight: Int {
        guard case .exchange(_, let conditions) = self else { return 1 }
        return 1 + (conditions.faults == .none ? 0 : 1) + (conditions.crashAt == nil ? 0 : 1)
    }

    package var quieter: [FeedEvent] {
        guard case .exchange(let device, let conditions) = self else { return [] }
        var (calm, whole) = (conditions, conditions)
        calm.faults = .none
        whole.crashAt = nil
        return [
            .exchange(device: device, FeedConditions(seconds: conditions.seconds)), .exchange(device: device, calm),
            .exchange(device: device, whole),
        ]
    }
}
