import BothyClient
import BothyContract
import Observation

/// A folder, a file or everything, back as it stood at a moment: which moment, what would change, done, and undone.
@MainActor @Observable
public final class RestoreStateHolder {
    /// Changes that are shown one by one.
    public nonisolated static let mostLines = 200

    private nonisolated static let offers: [(Phrase, seconds: Int64)] = [
        (.restoreHour, 3600), (.restoreDay, 86_400), (.restoreWeek, 7 * 86_400), (.restoreMonth, 30 * 86_400),
    ]

    public private(set) var state: RestoreState

    @ObservationIgnored private let folders: any FolderRepository
    @ObservationIgnored private let restores: any MomentRestoring
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(
        _ item: ItemID, folders: any FolderRepository, restores: any MomentRestoring, words: Words,
        clock: PersonsClock
    ) {
        self.folders = folders
        self.restores = restores
        self.words = words
        self.clock = clock
        state = RestoreState(item: item)
    }

    // MARK: - Looking

    /// Asks for a moment.
    public func open() async {
        guard await name() else { return }
        state.choices = Self.offers.map { phrase, seconds in
            let moment = clock.now.adding(seconds: -seconds)
            return RestoreState.Choice(
                title: words[phrase], detail: words.moment(moment, at: clock), moment: moment)
        }
        state.standing = .choosing
    }

    /// Shows a plan, or how far a restore is.
    public func show(_ id: DriveRestore.ID) async {
        guard await name() else { return }
        do {
            let restore = try await restores.restore(id, of: state.item)
            // One more than is shown tells whether there are more.
            let changes = try await restores.changes(of: id, limit: Self.mostLines + 1)
            take(restore, changes)
        } catch {
            fail(error)
        }
    }

    private func name() async -> Bool {
        do {
            state.crumbs = try await crumbs()
            guard state.item != .root else {
                state.title = words[.restoreEverything]
                return true
            }
            state.title = words.filled(.restoreOf, ShownName.of(try await folders.item(state.item).name))
            return true
        } catch {
            fail(error)
            return false
        }
    }

    private func crumbs() async throws -> [Crumb] {
        guard state.item != .root else { return [Crumb(id: .root, name: words[.files])] }
        return Crumb.way(try await folders.above(state.item), words)
    }

    private func take(_ restore: DriveRestore, _ changes: [RestoreChange]) {
        let (counts, moment) = (restore.counts, words.moment(restore.at, at: clock))
        let total = counts.putBack + counts.trashed + counts.recreated
        state.restore = restore.restoreId
        state.sums = words.sums(counts, isPlan: [.planning, .planned].contains(restore.state.known))
        state.isCut = changes.count > Self.mostLines
        state.lines = changes.prefix(Self.mostLines).map(line)
        switch restore.state.known {
        case .planning, .planned:
            state.heading = words.filled(.restorePlanned, moment)
            state.lead = words[total == 0 ? .restoreNothing : .restorePlannedLead]
            state.standing = .planned(isNothing: total == 0)
        case .running:
            state.heading = words.filled(.restoreRunning, moment)
            state.lead = words.filled(.restoreRunningLead, String(counts.done), String(total))
            state.standing = .running
        case .finished:
            state.heading = words.filled(.restoreFinished, moment)
            state.lead = total == 0 ? words[.restoreNothing] : ""
            state.standing = .finished(canUndo: restore.before != nil && total > 0)
        case nil: return fail(restore.unknownState)
        }
        guard let asked = restore.askedAt else { return }
        let nearest = words.filled(.restoreNearest, words.moment(asked, at: clock))
        state.lead = state.lead.isEmpty ? nearest : nearest + " " + state.lead
    }

    private func line(_ change: RestoreChange) -> RestoreState.Line {
        let path = change.pastPath ?? change.path ?? ""
        return RestoreState.Line(
            id: change.fileId,
            kind: change.isFolder ? .folder : MediaType.of(path).map { FileKind(mediaType: $0) } ?? .other,
            path: ShownName.of(path), about: words.about(change))
    }

    // MARK: - Doing

    /// Looks what going back to a moment would change.
    ///
    /// - Parameter moment: nil where the person named none.
    /// - Returns: the plan; nil where there is none, and a notice says why.
    public func plan(to moment: Timestamp?) async -> DriveRestore.ID? {
        guard let moment else {
            state.notice = Notice(words[.restoreNoMoment], tone: .failure)
            return nil
        }
        return await act { try await $0.plan(to: moment, of: $1) }
    }

    /// Does what a plan found.
    ///
    /// - Returns: the restore; nil where nothing was done, and a notice says why.
    public func carryOut(_ plan: DriveRestore.ID) async -> DriveRestore.ID? {
        await act { try await $0.carryOut(plan, of: $1) }
    }

    /// The same, for what a restore has changed.
    public func undo(_ restore: DriveRestore.ID) async -> DriveRestore.ID? {
        await act { try await $0.undo(restore, of: $1) }
    }

    private func act(_ act: (any MomentRestoring, ItemID) async throws -> DriveRestore) async -> DriveRestore.ID? {
        do {
            return try await act(restores, state.item).restoreId
        } catch {
            state.notice = notice(error)
            return nil
        }
    }

    private func fail(_ error: any Error) {
        let isMissing = (error as? ClientFailure)?.code == .notFound
        state.standing = .failed(notice(error), isMissing: isMissing)
    }

    private func notice(_ error: any Error) -> Notice {
        let failure = error as? ClientFailure
        if failure?.code == .offline { return Notice(words[.restoreOffline], tone: .failure) }
        // The server says it as programs have it.
        guard let earliest = failure?.problem?.earliest else { return words.failure(error) }
        return Notice(words.filled(.restoreForgotten, words.moment(earliest, at: clock)), tone: .failure)
    }
}
