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

    /// Something that may be chosen as the most that is kept.
    public struct Limit: Equatable, Sendable, Identifiable {
        /// Bytes; empty for as much as the server says.
        public var id: String
        public var name: String
        public var isChosen: Bool
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var rows = [Row]()
    public var rooms = [Room]()
    /// How much may be kept of what was opened lately.
    public var contentLimits = [Limit]()
    /// How much may be kept of what is known about files.
    public var metadataLimits = [Limit]()
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
                state.notice = state.notice ?? words.failure(error)
            } else {
                state.standing = .failed(words.failure(error))
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

    /// - Parameters:
    ///   - content: the `id` of one of the choices.
    ///   - metadata: the same.
    public func limit(content: String, metadata: String) async {
        await attempt {
            // What is no number is none of the choices.
            guard let content = Int64(content), metadata.isEmpty || Int64(metadata) != nil else {
                return words[.chooseFirst]
            }
            try await files.setLimits(RoomLimits(metadata: Int64(metadata), content: content))
            return words[.roomLimited]
        }
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
            state.notice = words.failure(error)
        }
    }

    // MARK: - Showing

    private func show(_ look: OfflineLook) {
        state.rows = look.items.map { row($0, isFetching: look.isFetching) }
        state.rooms = rooms(look.room, look.limits)
        state.contentLimits = limits(Self.contentChoices, chosen: look.limits.content)
        let allowed = look.room.metadataCap ?? .max
        let asAllowed = OfflineFilesState.Limit(
            id: "", name: words[.roomAsServer], isChosen: look.limits.metadata == nil)
        state.metadataLimits =
            limits(Self.metadataChoices.filter { $0 < allowed }, chosen: look.limits.metadata) + [asAllowed]
        state.free = words.filled(.deviceRoomFree, words.size(look.free))
        state.trouble = look.isFetching ? nil : look.failure.map { words.failure($0) }
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

    /// Bytes that may be chosen.
    private static let contentChoices: [Int64] = [
        0, 250_000_000, RoomLimits.usualContent, 5_000_000_000, 20_000_000_000,
    ]
    private static let metadataChoices: [Int64] = [10_000_000, 50_000_000, 100_000_000]

    private func limits(_ choices: [Int64], chosen: Int64?) -> [OfflineFilesState.Limit] {
        Set(choices + [chosen].compactMap(\.self)).sorted().map { bytes in
            OfflineFilesState.Limit(
                id: String(bytes), name: bytes == 0 ? words[.roomNone] : words.size(bytes), isChosen: bytes == chosen)
        }
    }

    private func rooms(_ room: KeptHere, _ limits: RoomLimits) -> [OfflineFilesState.Room] {
        let atHand =
            limits.content == 0
            ? words[.roomAtHandNone] : words.filled(.roomAtHandLead, words.size(limits.content))
        let most = [room.metadataCap, limits.metadata].compactMap(\.self).min()
        let known = most.map { words.filled(.roomKnownLead, words.size($0)) }
        let all: [(OfflineFilesState.Room.Kind, Phrase, String?, Int64)] = [
            (.kept, .roomKept, nil, room.pinned), (.atHand, .roomAtHand, atHand, room.freeable),
            (.pending, .roomPending, nil, room.pending),
            (.givenUp, .roomGivenUp, words[.roomGivenUpLead], room.givenUp), (.known, .roomKnown, known, room.metadata),
        ]
        return all.filter { $0.3 > 0 }.map { kind, name, lead, bytes in
            OfflineFilesState.Room(
                kind: kind, name: words[name], lead: lead, size: words.size(bytes),
                canFree: kind == .atHand)
        }
    }
}
