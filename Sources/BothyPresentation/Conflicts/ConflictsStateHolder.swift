import BothyClient
import BothyContract
import Observation

/// What waits to be decided, both sides of each, and what was decided lately.
@MainActor @Observable
public final class ConflictsStateHolder {
    /// Decisions that are shown.
    public nonisolated static let mostDecided = 30

    public private(set) var state = ConflictsState()

    @ObservationIgnored private let conflicts: any DeviceConflicts
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ conflicts: any DeviceConflicts, words: Words, clock: PersonsClock) {
        self.conflicts = conflicts
        self.words = words
        self.clock = clock
    }

    public func open() async {
        do {
            show(
                ConflictsLook(
                    waiting: try await conflicts.waiting(),
                    decided: try await conflicts.decided(most: Self.mostDecided)))
            show(try await conflicts.policy())
        } catch {
            fail(error)
        }
    }

    /// Follows what happens, until the one who shows it goes.
    ///
    /// - Parameter tell: called with each state.
    public func follow(_ tell: (ConflictsState) throws -> Void) async throws {
        for try await look in conflicts.looks(decided: Self.mostDecided) {
            show(look)
            try tell(state)
        }
    }

    private func show(_ look: ConflictsLook) {
        state.cards = look.waiting.map { .init($0, words: words, clock: clock) }
        state.decided = look.decided.map { .init($0, words: words, clock: clock) }
        state.standing = .shown
    }

    private func show(_ chosen: ConflictResolution) {
        state.policies = ConflictResolution.allCases.map { policy in
            let (label, hint) = words.policy(policy)
            return ConflictsState.Policy(kind: policy, label: label, hint: hint, isChosen: policy == chosen)
        }
    }

    /// Chooses what becomes of conflicts from now on.
    public func set(_ policy: ConflictResolution) async {
        await attempt(saying: .policySet) { try await conflicts.set(policy) }
    }

    /// Shows one by itself, with what differs between its two sides.
    public func open(_ id: DeviceConflict.ID) async {
        do {
            let conflict = try await conflicts.conflict(id)
            state.cards = [.init(conflict, words: words, clock: clock)]
            state.comparison = conflict.hasTwoContents ? await compared(conflict) : nil
            state.standing = .shown
        } catch {
            fail(error)
        }
    }

    private func compared(_ conflict: DeviceConflict) async -> ComparisonState.Content {
        let most = TextComparison.mostBytes
        guard max(conflict.mine.size ?? 0, conflict.theirs?.size ?? 0) <= Int64(most) else {
            return .refused(words[.compareTooLarge])
        }
        do {
            let theirs = try await conflicts.beginning(of: .theirs, conflict.id, most: most)
            let mine = try await conflicts.beginning(of: .mine, conflict.id, most: most)
            // It may take seconds, and this is where every screen is made.
            let texts = try await Task.detached { try TextComparison(old: theirs, new: mine) }.value
            return texts.isSame ? .refused(words[.compareSame]) : .texts(texts)
        } catch let refusal as TextComparison.Refusal {
            return .refused(words[Self.phrase(refusal)])
        } catch {
            return .refused(words.failure(error).text)
        }
    }

    private static func phrase(_ refusal: TextComparison.Refusal) -> Phrase {
        switch refusal {
        case .notText: .compareNotText
        case .tooLarge: .compareTooLarge
        case .tooDifferent: .compareTooDifferent
        }
    }

    /// - Parameter seen: what the person had seen of the other side, as the card said.
    public func resolve(_ id: DeviceConflict.ID, _ choice: ConflictDecision.Choice, seen: String) async {
        await attempt(saying: .decidedNotice) { try await conflicts.resolve(id, choice, seen: seen) }
    }

    public func takeBack(_ id: DecidedConflict.ID) async {
        await attempt(saying: .reopenedNotice) { try await conflicts.takeBack(id) }
    }

    private func attempt(saying phrase: Phrase, _ act: () async throws -> Void) async {
        do {
            try await act()
            state.notice = Notice(words[phrase])
        } catch {
            state.notice = words.failure(error)
        }
        await open()
    }

    private func fail(_ error: any Error) {
        let isMissing = (error as? ClientFailure)?.code == .notFound
        if state.standing == .shown {
            state.notice = state.notice ?? words.failure(error)
        } else {
            state.standing = .failed(words.failure(error), isMissing: isMissing)
        }
    }
}
