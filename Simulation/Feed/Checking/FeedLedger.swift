import BothyClient
import BothyContract

/// What the people of a feed's world wanted, and what came to the server of it, in order. The end of the world is judged by this, and by
/// nothing that an engine or the server's model says of how things stand.
struct FeedLedger: Sendable {
    /// A request as it came, for the first time or after it was refused.
    struct Arrival: Sendable {
        var call: FeedCall
        var key: FeedRequestKey?
        var person: Int64
        /// The post or comment that it has made, as the server called it.
        var made: Int64?
        var isAccepted: Bool
    }

    /// What a person did at a device.
    struct Wish: Sendable {
        enum Fate: Equatable, Sendable {
            case waits, done
            /// The device said that the server does not do it, and why.
            case refused(String)
            /// The person has given it up.
            case givenUp
        }

        let device: Int
        let person: Int64
        let deed: FeedDeed
        /// For the reader of a report.
        let words: String
        var requestId: String
        var fate = Fate.waits
        /// Its text was written anew, and has its place in the order by that.
        var isRewritten = false
    }

    let people: ClosedRange<Int64>
    private(set) var arrivals = [Arrival]()
    private(set) var wishes = [Wish]()
    private var accepted = [FeedRequestKey: Int64?]()
    /// Places among the wishes, by their requests.
    private var places = [String: Int]()

    init(people: ClosedRange<Int64>) { self.people = people }

    // MARK: - What came to the server

    mutating func arrived(
        _ call: FeedCall, _ requestId: String?, by person: Int64, _ answer: Result<FeedAnswer, Problem>
    ) {
        let key = requestId.map { FeedRequestKey(person: person, requestId: $0) }
        // What was done once is not done again.
        if let key, accepted[key] != nil { return }
        var arrival = Arrival(call: call, key: key, person: person, isAccepted: false)
        if case .success(let answer) = answer {
            arrival.isAccepted = true
            arrival.made = answer.post ?? answer.comment?.commentId
            if let key { accepted[key] = .some(arrival.made) }
        }
        arrivals.append(arrival)
    }

    func wasDone(_ wish: Wish) -> Bool {
        accepted[FeedRequestKey(person: wish.person, requestId: wish.requestId)] != nil
    }

    /// What a person's request has made; nil where it has made nothing.
    func made(by requestId: String, of person: Int64) -> Int64? {
        accepted[FeedRequestKey(person: person, requestId: requestId)] ?? nil
    }

    // MARK: - What people wanted

    mutating func wanted(_ wish: Wish) {
        places[wish.requestId] = wishes.count
        wishes.append(wish)
    }

    mutating func came(_ fate: Wish.Fate, of requestId: String) {
        if let place = places[requestId] { wishes[place].fate = fate }
    }

    mutating func rewritten(_ old: String, as new: String) {
        guard let place = places.removeValue(forKey: old) else { return }
        wishes[place].requestId = new
        wishes[place].isRewritten = true
        wishes[place].fate = .waits
        places[new] = place
    }
}
