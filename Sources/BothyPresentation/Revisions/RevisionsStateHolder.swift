import BothyClient
import BothyContract
import Observation

/// One version of a file, as screens show it.
public struct RevisionRow: Equatable, Sendable, Identifiable {
    public var id: String
    /// «20 Nov 2026, 14:03».
    public var moment: String
    /// «1.2 MB, from laptop».
    public var about: String
    public var isCurrent: Bool

    init(_ item: RevisionItem, words: Words, clock: PersonsClock) {
        id = item.id
        moment = words.moment(item.createdAt, at: clock)
        about = words.version(size: item.size, from: item.device)
        isCurrent = item.isCurrent
    }
}

/// What a file's history shows.
public struct RevisionsState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice, isMissing: Bool)
    }

    public var file: ItemID
    public var name = ""
    public var kind = FileKind.other
    public var crumbs = [Crumb]()
    /// Newest first.
    public var rows = [RevisionRow]()
    /// Where the next page begins.
    public var next: String?
    /// Two versions can be compared line by line.
    public var isText = false
    public var notice: Notice?
    public var standing = Standing.fresh
}

/// A file's history: what it was, and the way back to it.
@MainActor @Observable
public final class RevisionsStateHolder {
    /// Rows of a page.
    public nonisolated static let pageSize = 100

    public private(set) var state: RevisionsState

    @ObservationIgnored private let folders: any FolderRepository
    @ObservationIgnored private let revisions: any FileRevisions
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(
        _ file: ItemID, folders: any FolderRepository, revisions: any FileRevisions, words: Words, clock: PersonsClock
    ) {
        self.folders = folders
        self.revisions = revisions
        self.words = words
        self.clock = clock
        state = RevisionsState(file: file)
    }

    /// Shows the page that begins there; the first for nil.
    public func open(after place: String? = nil) async {
        do {
            let item = try await folders.item(state.file)
            let page = try await revisions.page(of: state.file, after: place, limit: Self.pageSize)
            state.name = ShownName.of(item.name)
            state.kind = FileKind(item)
            state.isText = [.text, .code, .sheet].contains(state.kind)
            state.crumbs = Crumb.way(try await folders.above(state.file), words)
            state.rows = page.items.map { RevisionRow($0, words: words, clock: clock) }
            state.next = page.next
            state.standing = .shown
        } catch {
            let failure = error as? ClientFailure ?? ClientFailure(.refused, words[.failedTitle])
            if state.standing == .shown {
                state.notice = Notice(failure)
            } else {
                state.standing = .failed(Notice(failure), isMissing: [.notFound, .notAFile].contains(failure.code))
            }
        }
    }

    /// Makes the file what it was then, as a new version.
    public func restore(_ revision: String) async {
        do {
            try await revisions.restore(revision, of: state.file)
            state.notice = Notice(words[.versionRestored])
            if state.standing == .shown { await open() }
        } catch {
            state.notice = Notice(error as? ClientFailure ?? ClientFailure(.refused, words[.failedTitle]))
        }
    }
}
