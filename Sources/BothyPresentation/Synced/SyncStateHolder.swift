import BothyClient
import BothyContract
import Observation

/// Synced folders: how each stands, what holds it, what was done, and why something is as it is.
@MainActor @Observable
public final class SyncStateHolder {
    /// Of what was done, how many times are shown.
    public nonisolated static let mostPasses = 20
    /// Conflicts that were decided, the last of which are shown.
    public nonisolated static let mostDecided = 20

    public private(set) var state = SyncState()

    @ObservationIgnored private let folders: any FoldersInStep
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: @Sendable () -> PersonsClock
    /// Paths of the folders here.
    @ObservationIgnored private var paths = [FolderInStep.ID: String]()

    public init(_ folders: any FoldersInStep, words: Words, clock: @escaping @Sendable () -> PersonsClock) {
        self.folders = folders
        self.words = words
        self.clock = clock
    }

    public func open() async {
        do {
            show(try await folders.all())
            try await readLog()
        } catch {
            fail(error)
        }
    }

    /// Shows them as they go on, and tells each time that something looks otherwise.
    public func follow(_ tell: (SyncState) async throws -> Void) async throws {
        for try await all in folders.looks() {
            let before = state
            show(all)
            try await readLog()
            if state != before { try await tell(state) }
        }
    }

    /// Tells of a file or folder of this device.
    public func explain(_ path: String) async {
        guard !path.isEmpty else { return }
        do {
            state.explanation = .init(try await folders.why(path), words: words, clock: clock())
        } catch {
            state.notice = words.failure(error)
        }
    }

    /// - Parameter folder: as it was shown; what its guard sees by now must be what it saw then.
    public func letPass(_ folder: FolderInStep.ID, _ saw: GuardSaw) async {
        await attempt {
            try await folders.letPass(folder, saw)
            return Notice(words[.letPassDone])
        }
    }

    public func bringBack(_ folder: FolderInStep.ID) async {
        await attempt {
            try await folders.bringBack(folder)
            return Notice(words[.bringThemBackDone])
        }
    }

    public func lookAgain(_ folder: FolderInStep.ID) async {
        await attempt {
            try await folders.lookAgain(folder)
            return Notice(words[.lookingAgain])
        }
    }

    /// Stops syncing it. All files stay.
    public func untie(_ folder: FolderInStep.ID) async {
        await attempt {
            try await folders.untie(folder)
            return Notice(words[.untieDone])
        }
    }

    public func takeBack(_ pass: FolderPass.ID) async {
        await attempt { takenBack(but: try await folders.takeBack(pass), saying: .takeBackDone) }
    }

    /// Opens a conflict again that was decided.
    public func takeBack(decision: FolderDecision.ID) async {
        await attempt { takenBack(but: try await folders.takeBack(decision: decision), saying: .reopenedNotice) }
    }

    private func takenBack(but failed: Int, saying done: Phrase) -> Notice {
        guard failed > 0 else { return Notice(words[done]) }
        return Notice(words.counted(failed, one: .takeBackPartlyOne, many: .takeBackPartlyMany), tone: .failure)
    }

    private func attempt(_ act: () async throws -> Notice) async {
        do {
            state.notice = try await act()
        } catch {
            state.notice = words.failure(error)
        }
    }

    // MARK: - Showing

    private func show(_ all: [FolderInStep]) {
        let now = clock()
        state.folders = all.map { .init($0, words: words, clock: now) }
        paths = Dictionary(all.map { ($0.id, $0.localPath) }, uniquingKeysWith: { first, _ in first })
        state.standing = .shown
    }

    private func readLog() async throws {
        let now = clock()
        state.log = try await folders.passes(most: Self.mostPasses).map {
            .init($0, path: paths[$0.folder], words: words, clock: now)
        }
        state.decided = try await folders.decided(most: Self.mostDecided).map {
            .init($0, words: words, clock: now)
        }
    }

    private func fail(_ error: any Error) {
        if state.standing == .shown {
            state.notice = state.notice ?? words.failure(error)
        } else {
            state.standing = .failed(words.failure(error))
        }
    }
}
