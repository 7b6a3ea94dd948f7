import BothyContract

/// Makes a feed's world from a seed: who is in it, and what happens.
package struct FeedScheduleMaker {
    private var random: SeededRandom
    private let steps: Int
    package private(set) var shape: FeedWorldShape
    private var nextText = 0

    /// Authors whom a person follows at the beginning, at most.
    private static let mostFollowed = 8
    private static let day: Int64 = 86_400

    package init(seed: UInt64, size: FeedWorldSize) {
        random = SeededRandom(seed)
        steps = size.steps
        shape = FeedWorldShape(devices: [], people: size.people)
        for person in 1...Int64(size.people) {
            // Every third person has two devices.
            shape.devices += Array(repeating: person, count: roll(3) == 0 ? 2 : 1)
            var followed = Set<Int64>()
            for _ in 0..<roll(Self.mostFollowed + 1) { followed.insert(1 + Int64(roll(size.people))) }
            shape.follows += followed.subtracting([person]).sorted().map { .init(person, $0) }
        }
    }

    package mutating func schedule() -> [FeedEvent] { (0..<steps).map { _ in event() } }

    private mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private mutating func pick() -> Int { roll(1 << 16) }
    private mutating func device() -> Int { roll(shape.devices.count) }

    private mutating func text() -> Int {
        nextText += 1
        return nextText
    }

    private mutating func event() -> FeedEvent {
        switch roll(100) {
        case 0..<48: .does(device: device(), intent())
        case 48..<84: .exchange(device: device(), conditions())
        case 84..<87: .kill(device: device())
        case 87..<89: .signal(device: device(), isThere: false)
        case 89..<92: .signal(device: device(), isThere: true)
        case 92: .clockJump(device: device(), seconds: roll(3) == 0 ? Self.day : -Self.day)
        case 93: .serversClockJump(seconds: roll(4) == 0 ? Self.day : -Self.day)
        case 94..<97: .arrivals(dice: random.next())
        case 97..<99: .edit(post: pick(), text: text())
        default: .decide(device: device(), text: roll(2) == 0 ? text() : nil)
        }
    }

    private mutating func intent() -> FeedIntent {
        switch roll(100) {
        case 0..<24: .publish(text: roll(30) == 0 ? 0 : text(), audience(), people: (0...roll(3)).map { _ in pick() })
        case 24..<64: .interact(post: pick(), interaction())
        case 64..<84: .comment(post: pick(), reply: roll(2) == 0 ? pick() : nil, text: text())
        case 84..<88: .deletePost(pick())
        case 88..<92: .deleteComment(post: pick(), pick())
        default: .follow(person: pick(), roll(3) > 0)
        }
    }

    private mutating func audience() -> PostAudience.Kind {
        switch roll(10) {
        case 0..<6: .everyone
        case 6..<8: .followers
        default: .people
        }
    }

    private mutating func interaction() -> PostInteraction {
        switch roll(20) {
        case 0..<8: .liked
        case 8..<12: .removedLike
        case 12..<15: .shared
        case 15..<17: .removedShare
        case 17..<19: .bookmarked
        default: .removedBookmark
        }
    }

    private mutating func conditions() -> FeedConditions {
        var conditions = FeedConditions(dice: random.next(), seconds: roll(60), pages: 1 + roll(3))
        switch roll(10) {
        case 0..<4: conditions.faults = .bad
        case 4: conditions.faults = .offline
        default: break
        }
        if roll(8) == 0 { conditions.crashAt = 1 + roll(8) }
        if roll(3) == 0 { conditions.opens = pick() }
        conditions.asksForPeople = roll(10) == 0
        return conditions
    }
}
