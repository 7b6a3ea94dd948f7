import BothyContract

/// What was done in the feed and is not at the server: no transfers, and counted beside them.
public struct FeedActions: Equatable, Sendable {
    /// Where a person finds one of them.
    public enum Place: Hashable, Sendable {
        case feed, people
        /// A comment is found at its post.
        case post(Int64)
    }

    public var count: Int
    /// Each once, in the order of what was done; of many, the first.
    public var places: [Place]

    /// The bound on places.
    static let mostPlaces = 5

    public init(count: Int = 0, places: [Place] = []) {
        self.count = count
        self.places = places
    }

    /// - Parameter operations: in their order.
    init(_ operations: some Sequence<FeedOperation>) {
        self.init()
        for operation in operations {
            count += 1
            if places.count < Self.mostPlaces, !places.contains(operation.place) { places.append(operation.place) }
        }
    }
}

extension FeedOperation {
    fileprivate var place: FeedActions.Place {
        switch action {
        case .follow: .people
        // A post that is not at the server yet is in the feed itself.
        case .comment: postId.map { .post($0) } ?? .feed
        case .publish, .delete, .interact, .deleteComment: .feed
        }
    }
}
