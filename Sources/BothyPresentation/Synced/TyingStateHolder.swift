import BothyClient
import BothyContract
import Observation

/// What is shown to a person who wants to sync a folder.
public struct TyingState: Equatable, Sendable {
    /// What would be done.
    public struct Look: Equatable, Sendable {
        /// Names what was shown.
        public var plan: String
        /// Where the two lie.
        public var path: String
        public var there: String
        /// «12 files and folders would go up.»
        public var sums: [String]
        /// «would send a.txt»
        public var deeds: [String]
        public var hasMore: Bool
    }

    /// What was typed and chosen.
    public var wish: FolderToTie
    /// Nil until it was looked at.
    public var look: Look?
    public var notice: Notice?
    /// The two are synced from now on.
    public var isTied = false

    public init(wish: FolderToTie) { self.wish = wish }
}

/// Linking a folder of this computer with one on the server: what it would do is shown first, and exactly that is done.
@MainActor @Observable
public final class TyingStateHolder {
    public private(set) var state: TyingState

    @ObservationIgnored private let folders: any FoldersInStep
    @ObservationIgnored private let words: Words

    public init(_ wish: FolderToTie, folders: any FoldersInStep, words: Words) {
        self.folders = folders
        self.words = words
        state = TyingState(wish: wish)
    }

    /// Shows what linking the two would do.
    public func look() async {
        do {
            state.look = look(try await folders.look(at: state.wish))
        } catch {
            state.notice = words.failure(error)
        }
    }

    /// - Parameter plan: of the look that the person has seen.
    public func tie(as plan: String) async {
        do {
            try await folders.tie(state.wish, as: plan)
            state.isTied = true
            state.notice = Notice(words[.tied])
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func look(_ look: TyingLook) -> TyingState.Look {
        let sums: [(Int, Phrase, Phrase)] = [
            (look.goingUp, .tyingUpOne, .tyingUpMany), (look.comingDown, .tyingDownOne, .tyingDownMany),
            (look.inConflict, .tyingConflictOne, .tyingConflictMany),
        ]
        let told = sums.filter { $0.0 > 0 }.map { words.counted($0.0, one: $0.1, many: $0.2) }
        return TyingState.Look(
            plan: look.plan, path: ShownName.of(look.localPath), there: ShownName.of(look.remotePath),
            sums: told.isEmpty ? [words[.tyingNothing]] : told,
            deeds: look.deeds.map { ShownName.of(words.would($0)) }, hasMore: look.hasMore)
    }
}
