import BothyClient
import BothyContract
import Observation

/// What the list of drafts shows.
public struct DraftsState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        /// There is no connection, and there was none since this device is signed in here: nobody knows which there are.
        case unknown
        case failed(Notice)
    }

    /// The one that was changed last first.
    public var drafts = [DraftRow]()
    /// Why it may not be all; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh
    public var notice: Notice?

    public var isEmpty: Bool { standing == .shown && drafts.isEmpty }
}

/// The posts that a person is writing.
@MainActor @Observable
public final class DraftsStateHolder {
    public private(set) var state = DraftsState()

    @ObservationIgnored private let drafts: any DraftsRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ drafts: any DraftsRepository, words: Words, clock: PersonsClock) {
        self.drafts = drafts
        self.words = words
        self.clock = clock
    }

    public func open() async {
        do {
            let known = try await drafts.all()
            state.drafts = known.value.map { DraftRow($0, words: words, clock: clock) }
            state.staleness = known.unreached.map(words.staleness)
            state.standing = .shown
        } catch let failure as ClientFailure where failure.code == .offline {
            state.standing = .unknown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// Deletes a draft for good. One that is not there any more is what was wanted.
    public func delete(_ id: Int64) async {
        do {
            try await drafts.delete(id)
            state.notice = Notice(words[.draftDeleted])
        } catch let failure as ClientFailure where failure.code == .notFound {
            state.notice = Notice(words[.draftGone])
        } catch {
            state.notice = words.failure(error)
        }
    }
}
