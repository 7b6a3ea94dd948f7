import BothyClient
import BothyContract

/// What the screen of synced folders shows.
public struct SyncState: Equatable, Sendable {
    public struct Folder: Equatable, Sendable, Identifiable {
        public enum Tone: String, Sendable { case calm, busy, waiting, asking }

        public var id: FolderInStep.ID
        public var tone: Tone
        /// Where it lies here.
        public var path: String
        /// Where it lies on the server.
        public var there: String
        /// Such as «Up to date».
        public var detail: String
        public var advice: String?
        /// What it does about deletions and conflicts, and what it leaves out.
        public var rules: String
        public var stopped: Stopped?

        /// It may be otherwise by now, and nobody has told.
        public var canLookAgain: Bool { tone == .asking || tone == .waiting }
    }

    /// What a guard has stopped at.
    public struct Stopped: Equatable, Sendable {
        public var saw: GuardSaw
        /// What it saw, in a sentence.
        public var text: String
        public var lead: String
        /// What lets it pass; nil where nothing does.
        public var pass: Pass?
        /// What fetches again what was deleted here; nil where nothing was.
        public var bringBack: String?
    }

    public struct Pass: Equatable, Sendable {
        public var label: String
        /// What is asked first.
        public var question: String
    }

    public struct Batch: Equatable, Sendable, Identifiable {
        public var id: FolderPass.ID
        /// «Today 14:03 · /home/anna/box».
        public var title: String
        public var deeds: [Deed]
        public var hasMore: Bool
        /// «taken back».
        public var mark: String?
        public var canTakeBack: Bool
    }

    public struct Deed: Equatable, Sendable {
        public var text: String
        public var failure: String?
    }

    /// A conflict that was decided.
    public struct Decision: Equatable, Sendable, Identifiable {
        public var id: FolderDecision.ID
        /// «14:03 · /home/anna/box/a.txt».
        public var title: String
        /// What became of it.
        public var text: String
    }

    public struct Explanation: Equatable, Sendable {
        public var path: String
        /// «In conflict».
        public var state: String
        public var cause: String
        public var remedy: String
        /// What each of the three has: «Here», «1.2 MB, of 20 Nov 2026, 14:03».
        public var sides: [(name: String, text: String)]
        public var deeds: [Deed]
        public var isLastKnown: Bool

        public static func == (left: Self, right: Self) -> Bool {
            (left.path, left.state, left.cause, left.remedy) == (right.path, right.state, right.cause, right.remedy)
                && left.sides.elementsEqual(right.sides) { $0 == $1 } && left.deeds == right.deeds
                && left.isLastKnown == right.isLastKnown
        }
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var folders = [Folder]()
    public var log = [Batch]()
    public var decided = [Decision]()
    public var explanation: Explanation?
    public var notice: Notice?
    public var standing = Standing.fresh

    public var isEmpty: Bool { standing == .shown && folders.isEmpty }
}
