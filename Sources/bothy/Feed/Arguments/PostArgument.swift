import BothyClient
import BothyContract

/// A post as somebody types it: its number, or the last digits of it.
enum PostArgument {
    /// Digits from which on it is taken for the whole number.
    private static let whole = 15
    /// Digits that name a post; less would often be the end of another one.
    static let fewest = 4

    static func find(_ argument: String, in home: DeviceHome) async throws -> Int64 {
        guard let number = Int64(argument), argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Complaint.usage(
                "“\(argument)” is not a post.", remedy: "Give the digits that “bothy feed” shows beside it.")
        }
        if argument.count >= whole { return number }
        if let waiting = try await waiting(argument, in: home) { throw Self.isNotPosted(waiting) }
        guard argument.count >= fewest else {
            throw Complaint(
                .notThere, "No waiting post has the number \(number).",
                remedy: "Give at least \(fewest) of the last digits of a published post.",
                status: .notThereOrInConflict)
        }
        var known = try await home.feed.knownPosts().filter { String($0).hasSuffix(argument) }
        if known.isEmpty {
            // It may have come a moment ago.
            _ = try await home.posts.feed(after: nil, limit: FeedLimits.maximumPage)
            known = try await home.feed.knownPosts().filter { String($0).hasSuffix(argument) }
        }
        switch known.count {
        case 1: return known[0]
        case 0:
            throw Complaint(
                .notThere, "This device knows no post that ends in \(argument).",
                remedy: "“bothy feed” lists the newest posts with their digits.", status: .notThereOrInConflict)
        default:
            throw Complaint(
                .ambiguous, "\(known.count) posts end in \(argument).",
                remedy: "Give more of its digits: \(known.map(String.init).joined(separator: ", ")).",
                status: .notThereOrInConflict)
        }
    }

    /// What waits in the outbox under this number, before any post whose number ends so; nil for none.
    static func waiting(_ argument: String, in home: DeviceHome) async throws -> WaitingPost? {
        try await home.feed.waiting().first { String($0.id) == argument }
    }

    private static func isNotPosted(_ waiting: WaitingPost) -> Complaint {
        Complaint(
            .notThere,
            "Number \(waiting.id) is a \(waiting.comment == nil ? "post" : "comment") that waits in the outbox.",
            remedy: "“bothy feed edit \(waiting.id)” changes it, “bothy feed discard \(waiting.id)” discards it.",
            status: .notThereOrInConflict)
    }
}
