import BothyClient
import BothyContract
import Observation

/// What goes between this device and the server, and what can be done about each.
@MainActor @Observable
public final class TransfersStateHolder {
    /// Transfers that are shown; of more, their number.
    public nonisolated static let most = 200

    public private(set) var state = TransfersState()

    @ObservationIgnored private let transfers: any DeviceTransfers
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: @Sendable () -> PersonsClock
    /// How fast each goes, while it is followed.
    @ObservationIgnored private var paces = [DeviceTransfer.ID: UploadPace]()

    /// - Parameter clock: asked each time that something is shown.
    public init(_ transfers: any DeviceTransfers, words: Words, clock: @escaping @Sendable () -> PersonsClock) {
        self.transfers = transfers
        self.words = words
        self.clock = clock
    }

    public func open() async {
        do {
            show(try await transfers.look(most: Self.most))
        } catch {
            fail(error)
        }
    }

    /// Shows them as they go on, and tells each time that something looks otherwise.
    public func follow(
        _ tell: (_ before: TransfersState, _ now: TransfersState) async throws -> Void
    ) async throws {
        for try await look in transfers.looks(most: Self.most) {
            let before = state
            show(look)
            if state != before { try await tell(before, state) }
        }
    }

    public func act(_ remedy: TransferRemedy, on id: DeviceTransfer.ID) async {
        do {
            try await transfers.act(remedy, on: id)
            state.notice = nil
        } catch {
            state.notice = words.failure(error)
        }
        await open()
    }

    /// What to ask before it is given up; nil where nothing would be lost. Why that cannot be told is a notice.
    public func question(about id: DeviceTransfer.ID) async -> TransfersState.Question? {
        do {
            state.notice = nil
            return TransfersState.Question(try await transfers.unsentCopies(givenUpWith: id), words: words)
        } catch {
            state.notice = words.failure(error)
            return nil
        }
    }

    public func actOnAll(_ remedy: TransferRemedy) async {
        do {
            let count = try await transfers.actOnAll(remedy)
            state.notice = count == 0 ? nil : Notice(words.counted(count, one: .actedOnOne, many: .actedOnMany))
        } catch {
            state.notice = words.failure(error)
        }
        await open()
    }

    public func clear() async {
        do {
            try await transfers.clear()
        } catch {
            state.notice = words.failure(error)
        }
        await open()
    }

    // MARK: - Showing

    private func show(_ look: TransfersLook) {
        let now = clock()
        measure(look.items, at: now.now)
        let rows = look.items.map {
            TransfersState.Row($0, rate: paces[$0.id]?.rate, words: words, clock: now)
        }
        state.rows = rows.filter { $0.tone != .over }
        state.over = rows.filter { $0.tone == .over }
        state.count =
            look.open == 0
            ? words[look.others.count + look.refused.count == 0 ? .transfersNone : .transfersEmptyTitle]
            : words.counted(look.open, one: .transfersOpenOne, many: .transfersOpenMany)
        let hidden = look.open - state.rows.count
        state.more = hidden > 0 ? words.filled(.transfersMore, String(hidden)) : nil
        state.others = besides(look.others, one: .transfersOthersOne, many: .transfersOthersMany)
        state.refused = besides(look.refused, one: .transfersRefusedOne, many: .transfersRefusedMany)
        state.forAll = forAll(look.items)
        state.standing = .shown
    }

    /// - Returns: nil for none.
    private func besides(_ actions: FeedActions, one: Phrase, many: Phrase) -> TransfersState.Besides? {
        guard actions.count > 0 else { return nil }
        var links = [TransfersState.Besides.Link]()
        var posts = [Int64]()
        for place in actions.places {
            switch place {
            case .feed: links.append(TransfersState.Besides.Link(label: words[.feed], destination: .feed))
            case .people: links.append(TransfersState.Besides.Link(label: words[.people], destination: .people))
            case .post(let id): posts.append(id)
            }
        }
        // Several links say which is which.
        for (index, post) in posts.enumerated() {
            let label =
                posts.count == 1
                ? words[.transfersComment] : words.filled(.transfersCommentNumber, String(index + 1))
            links.append(TransfersState.Besides.Link(label: label, destination: .post(post)))
        }
        return TransfersState.Besides(text: words.counted(actions.count, one: one, many: many), links: links)
    }

    private func measure(_ items: [DeviceTransfer], at now: Timestamp) {
        let moving = items.filter { $0.state == .moving && $0.bytesTotal != nil }
        paces = paces.filter { pace in moving.contains { $0.id == pace.key } }
        for item in moving {
            paces[item.id, default: UploadPace()].add(item.bytesShown, at: Double(now.milliseconds) / 1000)
        }
    }

    /// A switch for all is offered where it is one for several.
    private func forAll(_ items: [DeviceTransfer]) -> [TransfersState.Row.Remedy] {
        let offered: [(TransferRemedy, Phrase)] = [(.pause, .pauseAll), (.resume, .resumeAll), (.retry, .retryAll)]
        return offered.compactMap { kind, phrase in
            let count = items.count { $0.remedies.contains(kind) }
            return count > 1 ? TransfersState.Row.Remedy(kind: kind, label: words[phrase]) : nil
        }
    }

    private func fail(_ error: any Error) {
        if state.standing == .shown {
            state.notice = words.failure(error)
        } else {
            state.standing = .failed(words.failure(error))
        }
    }
}
