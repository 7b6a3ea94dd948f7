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
            state.cards = try await conflicts.waiting().map { .init($0, words: words, clock: clock) }
            state.decided = try await conflicts.decided(most: Self.mostDecided).map {
                .init($0, words: words, clock: clock)
            }
            state.standing = .shown
        } catch {
            fail(error)
        }
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
            return .refused(notice(error).text)
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
            state.notice = notice(error)
        }
        await open()
    }

    private func fail(_ error: any Error) {
        let isMissing = (error as? ClientFailure)?.code == .notFound
        if state.standing == .shown {
            state.notice = state.notice ?? notice(error)
        } else {
            state.standing = .failed(notice(error), isMissing: isMissing)
        }
    }

    private func notice(_ error: any Error) -> Notice {
        Notice(error as? ClientFailure ?? ClientFailure(.refused, words[.failedTitle]))
    }
}
