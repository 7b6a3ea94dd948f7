import BothyClient
import BothyContract
import Observation

/// What the screen of files at hand shows.
public struct OfflineFilesState: Equatable, Sendable {
    public struct Row: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
        public var kind: FileKind
        public var place: String
        /// «12 of 40 files are here».
        public var detail: String
        /// «1.2 MB».
        public var size: String
        /// Whole per cents of its bytes that are here; nil where all of it is.
        public var percent: Int?
    }

    /// Something that takes room on this device.
    public struct Room: Equatable, Sendable, Identifiable {
        public enum Kind: String, Sendable { case kept, atHand, pending, givenUp, known }

        public var kind: Kind
        public var name: String
        public var lead: String?
        public var size: String
        public var canFree: Bool

        public var id: Kind { kind }
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var rows = [Row]()
    public var rooms = [Room]()
    /// «120 GB are free on its disk.»
    public var free = ""
    /// Why what is missing is not here yet.
    public var trouble: Notice?
    public var notice: Notice?
    public var standing = Standing.fresh

    public var isEmpty: Bool { standing == .shown && rows.isEmpty }
}

/// What is at hand without a connection, and what takes room on this device.
@MainActor @Observable
public final class OfflineFilesStateHolder {
    public private(set) var state = OfflineFilesState()

    @ObservationIgnored private let files: any OfflineFiles
    @ObservationIgnored private let words: Words

    public init(_ files: any OfflineFiles, words: Words) {
        self.files = files
        self.words = words
    }

    public func open() async {
        do {
            show(try await files.look())
        } catch {
            if state.standing == .shown {
                state.notice = state.notice ?? notice(error)
            } else {
                state.standing = .failed(notice(error))
            }
        }
    }

    /// Shows it as it goes on, and tells each time that something looks otherwise.
    public func follow(_ tell: (OfflineFilesState) async throws -> Void) async throws {
        for try await look in files.looks() {
            let before = state
            show(look)
            if state != before { try await tell(state) }
        }
    }

    public func keep(_ ids: [ItemID]) async {
        await act(ids) {
            try await files.keep(ids)
            return words.counted(ids.count, one: .keptOne, many: .keptMany)
        }
    }

    public func letGo(_ ids: [ItemID]) async {
        await act(ids) {
            try await files.letGo(ids)
            return words.counted(ids.count, one: .letGoOne, many: .letGoMany)
        }
    }

    public func freeRoom() async {
        await attempt { words.filled(.roomFreed, words.size(try await files.freeRoom())) }
    }

    private func act(_ ids: [ItemID], _ act: () async throws -> String) async {
        guard !ids.isEmpty else {
            state.notice = Notice(words[.chooseFirst], tone: .failure)
            return
        }
        await attempt(act)
    }

    private func attempt(_ act: () async throws -> String) async {
        do {
            state.notice = Notice(try await act())
        } catch {
            state.notice = notice(error)
        }
    }

    // MARK: - Showing

    private func show(_ look: OfflineLook) {
        state.rows = look.items.map { row($0, isFetching: look.isFetching) }
        state.rooms = rooms(look.room)
        state.free = words.filled(.deviceRoomFree, words.size(look.free))
        state.trouble = look.isFetching ? nil : look.failure.map { Notice($0) }
        state.standing = .shown
    }

    private func row(_ kept: KeptItem, isFetching: Bool) -> OfflineFilesState.Row {
        let part: Phrase = isFetching ? .keptFetching : .keptPart
        return OfflineFilesState.Row(
            id: kept.id, name: ShownName.of(kept.item.name), kind: FileKind(kept.item),
            place: words.place(kept.above),
            detail: kept.isWhole
                ? words[.keptWhole] : words.filled(part, String(kept.filesHere), String(kept.files)),
            size: words.size(kept.bytes),
            percent: kept.isWhole || kept.bytes == 0 ? nil : Int(min(100, kept.bytesHere * 100 / kept.bytes)))
    }

    private func rooms(_ room: KeptHere) -> [OfflineFilesState.Room] {
        let all: [(OfflineFilesState.Room.Kind, Phrase, Phrase?, Int64)] = [
            (.kept, .roomKept, nil, room.pinned), (.atHand, .roomAtHand, .roomAtHandLead, room.freeable),
            (.pending, .roomPending, nil, room.pending), (.givenUp, .roomGivenUp, .roomGivenUpLead, room.givenUp),
            (.known, .roomKnown, nil, room.metadata),
        ]
        return all.filter { $0.3 > 0 }.map { kind, name, lead, bytes in
            OfflineFilesState.Room(
                kind: kind, name: words[name], lead: lead.map { words[$0] }, size: words.size(bytes),
                canFree: kind == .atHand)
        }
    }

    private func notice(_ error: any Error) -> Notice {
        Notice(error as? ClientFailure ?? ClientFailure(.refused, words[.failedTitle]))
    }
}
