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
    /// Why the history, which the server has, is not shown; nil where it is.
    public var away: Notice?
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
            state.name = ShownName.of(item.name)
            state.kind = FileKind(item)
            // A sheet may be of lines, or of an office's own making.
            state.isText =
                [.text, .code, .sheet].contains(state.kind)
                && MediaType.isText(FileKind.mediaType(of: item), named: item.name)
            state.crumbs = Crumb.way(try await folders.above(state.file), words)
            try await read(after: place, item)
            state.standing = .shown
        } catch {
            if state.standing == .shown {
                state.notice = words.failure(error)
            } else {
                let isMissing = [.notFound, .notAFile].contains((error as? ClientFailure)?.code)
                state.standing = .failed(words.failure(error), isMissing: isMissing)
            }
        }
    }

    /// Without a way to the server, what the file is now is shown.
    private func read(after place: String?, _ item: FolderItem) async throws {
        do {
            let page = try await revisions.page(of: state.file, after: place, limit: Self.pageSize)
            state.rows = page.items.map { RevisionRow($0, words: words, clock: clock) }
            (state.next, state.away) = (page.next, nil)
        } catch let failure as ClientFailure where failure.needsConnection {
            let now = RevisionItem(
                id: "", mimeType: item.mimeType, size: item.size, createdAt: item.modifiedAt, device: nil,
                isCurrent: true)
            state.rows = [RevisionRow(now, words: words, clock: clock)]
            state.rows[0].about = words.size(item.size)
            (state.next, state.away) = (nil, words.failure(failure))
        }
    }

    /// Makes the file what it was then, as a new version.
    public func restore(_ revision: String) async {
        do {
            try await revisions.restore(revision, of: state.file)
            state.notice = Notice(words[.versionRestored])
            if state.standing == .shown { await open() }
        } catch {
            state.notice = words.failure(error)
        }
    }
}
