import BothyClient

/// A bound folder as the process that keeps it in sync saw it last.
package struct WatchedFolder: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case looking, inStep, working
        case waiting(ClientFailure)
        case held(Guard.Sighting)
        case partly(failed: Int)
        /// Synced, except for so many things that wait for a person. Conflicts are counted apart.
        case lacking(Int)
    }

    /// A file that both sides changed, and that waits for a person.
    package struct Conflict: Equatable, Sendable {
        package var place: Place
        package var mine: LocalFingerprint
        package var theirs: RemoteFingerprint

        package init(place: Place, mine: LocalFingerprint, theirs: RemoteFingerprint) {
            self.place = place
            self.mine = mine
            self.theirs = theirs
        }
    }

    package var state: State
    /// Folders that the system has no room to watch.
    package var unwatched = 0
    package var conflicts: [Conflict]

    package init(state: State = .looking, conflicts: [Conflict] = []) {
        self.state = state
        self.conflicts = conflicts
    }

    /// Takes in what a watch tells.
    package mutating func take(_ event: BindingWatch.Event) {
        switch event {
        case .waiting(let failure): state = .waiting(failure)
        case .acting, .decided: state = .working
        case .watching(let coverage):
            unwatched = coverage.unwatched
            if state == .looking { state = .inStep }
        case .passed(let report):
            conflicts = report.plan.conflicts
            if let sighting = report.plan.sighting {
                state = .held(sighting)
            } else if report.plan.waitsForMore {
                if case .held = state { break }
                state = .working
            } else {
                state = Self.rest(report)
            }
        }
    }

    private static func rest(_ report: PassReport) -> State {
        let failed = report.failed.count + report.resting.count
        if failed > 0 { return .partly(failed: failed) }
        if report.underWay > 0 { return .working }
        let waiting = Binding.Waiting(report)
        let lacking = waiting.unable + waiting.unsynced
        return lacking == 0 ? .inStep : .lacking(lacking)
    }
}

extension Plan {
    /// In the order of their places.
    package var conflicts: [WatchedFolder.Conflict] {
        standing.compactMap { place, standing in
            guard case .conflict(let mine, let theirs) = standing else { return nil }
            return WatchedFolder.Conflict(place: place, mine: mine, theirs: theirs)
        }.sorted { $0.place < $1.place }
    }
}

/// How screens reach the part of this process that keeps folders in sync.
package struct FolderKeeping: Sendable {
    /// - Returns: nil for a folder that nobody keeps.
    package var watched: @Sendable (_ binding: String) async -> WatchedFolder?
    /// It leaves the folder alone from here on,
    package var lend: @Sendable (_ binding: String) async -> Void
    /// and keeps it again: until it has looked itself, these are the conflicts.
    package var takeBack: @Sendable (_ binding: String, _ seen: [WatchedFolder.Conflict]) async -> Void

    package init(
        watched: @escaping @Sendable (String) async -> WatchedFolder?,
        lend: @escaping @Sendable (String) async -> Void,
        takeBack: @escaping @Sendable (String, [WatchedFolder.Conflict]) async -> Void
    ) {
        self.watched = watched
        self.lend = lend
        self.takeBack = takeBack
    }

    /// Nobody keeps any.
    package static let nobody = FolderKeeping(watched: { _ in nil }, lend: { _ in }, takeBack: { _, _ in })

    /// - Parameter work: sets the conflicts, where it sees or settles any. A screen that asks right afterwards is not told that there
    ///   are none.
    func borrowing<Value: Sendable>(
        _ binding: String, _ work: (_ conflicts: inout [WatchedFolder.Conflict]) async throws -> Value
    ) async throws -> Value {
        var conflicts = await watched(binding)?.conflicts ?? []
        await lend(binding)
        do {
            let value = try await work(&conflicts)
            await takeBack(binding, conflicts)
            return value
        } catch {
            await takeBack(binding, conflicts)
            throw error
        }
    }
}
