/// How large the feed's worlds of a run are.
package struct FeedWorldSize: Equatable, Sendable {
    package var people: Int
    package var steps: Int

    package static let peopleAllowed = 2...1_000
    package static let stepsAllowed = 1...100_000

    package init(people: Int = 200, steps: Int = 10_000) {
        self.people = people
        self.steps = steps
    }
}

/// What a feed's world is made of, before anything happens in it.
package struct FeedWorldShape: Equatable, Sendable {
    /// The person at each device, from 1.
    package var devices: [Int64]
    package var people: Int
    /// Who follows whom at the beginning.
    package var follows: [Follow]

    package struct Follow: Equatable, Sendable {
        package var follower: Int64
        package var author: Int64

        package init(_ follower: Int64, _ author: Int64) {
            self.follower = follower
            self.author = author
        }
    }

    package init(devices: [Int64], people: Int, follows: [Follow] = []) {
        self.devices = devices
        self.people = people
        self.follows = follows
    }
}
