import BothyClient

/// Transfers of a watched folder that take long: they go on beside its passes, so that nothing else in it waits for them.
///
/// Each moves bytes, and agrees on nothing. What came of it is taken up by the pass after its end, as it would be after a crash: what was
/// fetched lies whole in the staging folder then, and of what was sent the server tells what came of the request. One goes on for as
/// long as a plan wants its bytes, whatever else becomes of the file meanwhile.
struct LongTransfers {
    private enum State {
        case underWay(Task<Void, Never>, Begun)
        case arrived
        case failed(any Error)
    }

    /// What was begun, as its plan said it.
    struct Begun {
        var action: Action
        /// Under which the request is written down; nil where the server is asked to change nothing.
        var request: String?
    }

    private var states = [String: State]()
    /// Requests that were begun beside, and of whose end nobody has been told.
    private var untold = Set<String>()
    /// What waits until it is tried again.
    var rests = TransferRests()

    /// Bytes from which a file is long.
    static let least: Int64 = 16 << 20
    /// The same while a folder is being linked, where each pass looks at everything.
    static let leastWhileLinking: Int64 = 256 << 20
    /// So many go on at the same time: more would share what one has.
    static let most = 4

    // MARK: - Which

    /// The same bytes to the same file have one and the same key, whatever else a later plan says of it; nil for what is no transfer.
    static func key(of action: Action) -> String? {
        switch action.step {
        case .download(_, let theirs, _): StagedName(theirs).text
        case .upload(_, let mine, let over, _):
            "\(mine.stamp.inode) \(mine.stamp.size) \(mine.stamp.modifiedAt.rfc3339) \(over?.id ?? "")"
        default: nil
        }
    }

    private static func isLong(_ step: Step, isLinking: Bool) -> Bool {
        let size: Int64 =
            switch step {
            case .upload(_, let mine, _, _): mine.stamp.size
            case .download(_, let theirs, _): theirs.size
            default: 0
            }
        return size >= (isLinking ? leastWhileLinking : least)
    }

    /// Those of a plan that go on beside it. What has come to its end is an action like any other.
    func beside(_ actions: [Action], isLinking: Bool) -> [Action] {
        actions.filter { action in
            guard Self.isLong(action.step, isLinking: isLinking), let key = Self.key(of: action) else { return false }
            switch states[key] {
            case nil, .underWay: return true
            case .arrived, .failed: return false
            }
        }
    }

    /// Those of them that may begin now: nothing else that a plan does is about the same file or its place, and its folder is there.
    ///
    /// - Parameter uptime: seconds.
    func next(of long: [Action], in plan: [Action], at uptime: Double) -> [Action] {
        var room = Self.most - running.count
        var subjects = [Subject: Int]()
        for action in plan { for subject in Subject.all(of: action.step) { subjects[subject, default: 0] += 1 } }
        return long.filter { action in
            guard room > 0, let key = Self.key(of: action), states[key] == nil,
                !rests.holds(action, at: uptime), Subject.all(of: action.step).allSatisfy({ subjects[$0] == 1 })
            else { return false }
            if case .upload(let spot, _, _, _) = action.step, spot.folderId == nil { return false }
            room -= 1
            return true
        }
    }

    private enum Subject: Hashable {
        case file(String), place(Place)

        static func all(of step: Step) -> Set<Subject> {
            Set(step.places.map(Subject.place) + [step.remoteId].compactMap(\.self).map(Subject.file))
        }
    }

    // MARK: - Their course

    /// What was begun and has not come to its end, by its key.
    var running: [String: Begun] {
        states.compactMapValues { if case .underWay(_, let begun) = $0 { begun } else { nil } }
    }

    mutating func began(_ begun: Begun, as key: String, _ task: Task<Void, Never>) {
        states[key] = .underWay(task, begun)
        if let request = begun.request { untold.insert(request) }
    }

    /// Of what was let go meanwhile, nobody asks how it ended.
    mutating func ended(_ key: String, with failure: (any Error)?) {
        guard case .underWay = states[key] else { return }
        states[key] = failure.map(State.failed) ?? .arrived
    }

    /// Forgets all but some.
    ///
    /// - Returns: those of them that were under way, to be cancelled and waited for.
    mutating func letGo(but wanted: Set<String> = []) -> [(task: Task<Void, Never>, begun: Begun)] {
        let gone = states.filter { !wanted.contains($0.key) }
        for key in gone.keys { states[key] = nil }
        return gone.values.compactMap { if case .underWay(let task, let begun) = $0 { (task, begun) } else { nil } }
    }

    /// What came of one, which is told once.
    ///
    /// - Returns: nil where it has not come to an end.
    mutating func takeEnd(of key: String) -> Result<Void, any Error>? {
        switch states[key] {
        case .arrived:
            states[key] = nil
            return .success(())
        case .failed(let failure):
            states[key] = nil
            return .failure(failure)
        case .underWay, nil: return nil
        }
    }

    /// The server has said what came of a request.
    ///
    /// - Returns: whether it was one that went on beside.
    mutating func answered(_ request: String, to action: Action) -> Bool {
        guard untold.remove(request) != nil else { return false }
        if let key = Self.key(of: action), case .arrived = states[key] { states[key] = nil }
        rests.end(of: action)
        return true
    }
}
