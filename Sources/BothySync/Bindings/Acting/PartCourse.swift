/// How far a part of a wave has come: what is begun next, and what of it can be written down. Pure.
struct PartCourse<Outcome> {
    private let part: ActionWave.Part
    private var begun = 0
    /// Where it ends.
    private var end: Int
    private var underWay = 0
    /// What these carry.
    private var bytes: Int64 = 0
    /// Once as many are under way as may be, nothing is begun until no more than these are: half of them. What begins at one moment goes
    /// together, and costs less than one after the other.
    private var resumesAt: Int?
    /// What has come to its end before what is written down first.
    private var waiting = [Int: Outcome]()
    /// The first that is not written down, where that goes in order.
    private var first = 0

    /// - Parameter hasChanged: whether the plan is not to be trusted any more.
    init(_ part: ActionWave.Part, hasChanged: Bool) {
        self.part = part
        end = part.actions.count
        if hasChanged { comeToAnEnd() }
    }

    var isUnderWay: Bool { underWay > 0 }

    /// The next that may begin, if one may.
    mutating func next() -> (place: Int, action: Action)? {
        guard begun < end else { return nil }
        if resumesAt == nil, !part.admits(part.actions[begun], beside: underWay, with: bytes) {
            resumesAt = underWay / 2
        }
        guard resumesAt == nil || underWay < part.width else { return nil }
        defer { begun += 1 }
        underWay += 1
        bytes += part.actions[begun].step.bytes
        return (begun, part.actions[begun])
    }

    /// Takes in what has come to its end.
    ///
    /// - Returns: what can be written down, in the order of the plan.
    mutating func ended(_ arrived: [(place: Int, outcome: Outcome)]) -> [(Action, Outcome)] {
        for (place, outcome) in arrived {
            underWay -= 1
            bytes -= part.actions[place].step.bytes
            waiting[place] = outcome
        }
        if let most = resumesAt, underWay <= most { resumesAt = nil }
        var ready = [(Action, Outcome)]()
        if part.keepsOrder {
            while let outcome = waiting.removeValue(forKey: first) {
                ready.append((part.actions[first], outcome))
                first += 1
            }
        } else {
            ready = waiting.sorted { $0.key < $1.key }.map { (part.actions[$0.key], $0.value) }
            waiting = [:]
        }
        return ready
    }

    /// As many more are begun as go side by side, and no others; but all folders, since what is next goes into them.
    mutating func comeToAnEnd() {
        guard part.actions.first?.step.makesFolder != true else { return }
        var (more, carried) = (0, Int64(0))
        while begun + more < end, part.admits(part.actions[begun + more], beside: more, with: carried) {
            carried += part.actions[begun + more].step.bytes
            more += 1
        }
        end = begun + more
    }
}
