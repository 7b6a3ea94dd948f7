import Foundation

/// Who follows whom and who posts how much, as in public social networks: most people follow some dozens and are followed by few, and
/// some are followed by very many.
///
/// How many somebody follows and posts is log-normal; who is followed goes by a shifted Zipf law (Mandelbrot), so that the most
/// followed of a million have some tens of thousands. One seed makes one world.
struct FeedPlan: Sendable {
    /// The id of the first; the others follow one by one.
    static let firstPerson: Int64 = 1_000_000
    /// How far from the top the law of followers becomes flat.
    private static let shift = 100.0
    private static let medianFollowees = 20.0
    private static let followeeSpread = 1.2
    private static let mostFollowees = 5_000
    private static let postSpread = 1.3
    /// Posts are spread over so many milliseconds before now.
    private static let year = Int64(365 * 86_400_000)

    let people: Int
    let posts: Int
    let active: Int
    let seed: UInt64

    func random(_ stream: UInt64) -> SeededRandom { SeededRandom(seed: seed &* 1_000_003 &+ stream) }

    func id(_ person: Int) -> Int64 { Self.firstPerson + Int64(person) }

    /// How many somebody follows.
    func followees(_ random: inout SeededRandom) -> Int {
        min(
            Self.mostFollowees, people - 1,
            Int(random.logNormal(median: Self.medianFollowees, spread: Self.followeeSpread)))
    }

    /// Somebody, as people choose whom to follow.
    func followed(_ random: inout SeededRandom) -> Int {
        let (shift, chance) = (Self.shift, random.unit())
        let rank = pow(Double(people) + shift, chance) * pow(shift, 1 - chance) - shift
        return min(people - 1, max(0, Int(rank)))
    }

    /// How many posts each person has made, which are all posts together.
    func postsOfEach() -> [Int32] {
        var random = random(2)
        let weights = (0..<people).map { _ in random.logNormal(median: 1, spread: Self.postSpread) }
        let each = Double(posts) / weights.reduce(0, +)
        var (counts, owed, made) = ([Int32](), 0.0, 0)
        counts.reserveCapacity(people)
        for weight in weights {
            owed += weight * each
            let count = min(Int(owed.rounded()) - made, posts - made)
            made += count
            counts.append(Int32(count))
        }
        counts[people - 1] += Int32(posts - made)
        return counts
    }

    /// When a post was made, in milliseconds before now: the posts of each person are spread over the whole year, and no two are of one
    /// moment.
    func age(ofPost number: Int) -> Int64 {
        // A prime that divides no number of posts that is asked for: each place is taken once.
        let place = (number * 7_368_787) % posts
        return Int64(place) * (Self.year / Int64(posts)) + 3_600_000
    }
}

/// SplitMix64, with the distributions that the plan needs.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// By the method of Box and Muller.
    mutating func logNormal(median: Double, spread: Double) -> Double {
        let radius = (-2 * log(max(unit(), 0x1p-53))).squareRoot()
        return median * exp(spread * radius * cos(2 * .pi * unit()))
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
