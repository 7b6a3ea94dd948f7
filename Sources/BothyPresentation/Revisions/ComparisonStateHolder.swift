import BothyClient
import BothyContract
import Observation

/// What two versions of a file show side by side.
public struct ComparisonState: Equatable, Sendable {
    public enum Content: Equatable, Sendable {
        case texts(TextComparison)
        /// They are not compared; a sentence says why.
        case refused(String)
    }

    public enum Standing: Equatable, Sendable {
        case fresh
        case shown(Content)
        case failed(Notice, isMissing: Bool)
    }

    public var file: ItemID
    public var name = ""
    public var crumbs = [Crumb]()
    public var older: RevisionRow?
    public var newer: RevisionRow?
    /// What can be chosen from, newest first: those of the first page.
    public var choices = [RevisionRow]()
    public var standing = Standing.fresh
}

/// Two versions of a text, line by line.
@MainActor @Observable
public final class ComparisonStateHolder {
    public private(set) var state: ComparisonState

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
        state = ComparisonState(file: file)
    }

    /// - Parameters:
    ///   - older: a version; the one before `newer` for nil.
    ///   - newer: a version; the current one for nil.
    public func compare(older: String?, newer: String?) async {
        do {
            state.name = ShownName.of(try await folders.item(state.file).name)
            state.crumbs = Crumb.way(try await folders.above(state.file), words)
            let page = try await revisions.page(of: state.file, after: nil, limit: RevisionsStateHolder.pageSize)
            state.choices = page.items.map(row)
            let current = newer ?? page.items.first?.id
            let place = page.items.firstIndex { $0.id == current }
            let before = place.flatMap { $0 + 1 < page.items.count ? page.items[$0 + 1].id : nil }
            guard let current, let other = older ?? before ?? page.items.last?.id else {
                throw ClientFailure(.notFound, words[.notFoundLead])
            }
            let (old, new) = (try await item(other), try await item(current))
            (state.older, state.newer) = (row(old), row(new))
            state.standing = .shown(try await content(old, new))
        } catch {
            let isMissing = [.notFound, .notAFile].contains((error as? ClientFailure)?.code)
            state.standing = .failed(words.failure(error), isMissing: isMissing)
        }
    }

    private func content(_ old: RevisionItem, _ new: RevisionItem) async throws -> ComparisonState.Content {
        guard max(old.size, new.size) <= Int64(TextComparison.mostBytes) else {
            return .refused(words[.compareTooLarge])
        }
        let (before, after) = (try await text(of: old), try await text(of: new))
        do {
            // It may take seconds, and this is where every screen is made.
            let comparison = try await Task.detached { try TextComparison(old: before, new: after) }.value
            return comparison.isSame ? .refused(words[.compareSame]) : .texts(comparison)
        } catch TextComparison.Refusal.notText {
            return .refused(words[.compareNotText])
        } catch TextComparison.Refusal.tooLarge {
            return .refused(words[.compareTooLarge])
        } catch {
            return .refused(words[.compareTooDifferent])
        }
    }

    private func text(of item: RevisionItem) async throws -> [UInt8] {
        guard item.size > 0 else { return [] }
        return try await revisions.beginning(of: item.id, of: state.file, most: TextComparison.mostBytes)
    }

    private func item(_ id: String) async throws -> RevisionItem {
        try await revisions.revision(id, of: state.file)
    }

    private func row(_ item: RevisionItem) -> RevisionRow { RevisionRow(item, words: words, clock: clock) }
}
