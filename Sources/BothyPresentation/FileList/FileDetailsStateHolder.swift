import BothyClient
import BothyContract
import Observation

/// What there is to know of one file or folder.
public struct FileDetailsState: Equatable, Sendable {
    public struct Fact: Equatable, Sendable {
        /// «Where».
        public var label: String
        /// «Files / Letters».
        public var text: String
    }

    /// Something that was done to it and is not on the server yet.
    public struct Waiting: Equatable, Sendable {
        /// «Rename to “b.txt”: Waiting for a connection».
        public var text: String
        /// What a person can do about it.
        public var advice: String?
        /// It does not go on before they have.
        public var asks: Bool
        /// Where.
        public var place: Destination
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var name = ""
    public var kind = FileKind.other
    public var facts = [Fact]()
    /// On a device alone: of several, the one that asks, else the one that was done last.
    public var waiting: Waiting?
    public var standing = Standing.fresh
}

/// What one thing is, where it lies, and why it is as it is.
@MainActor @Observable
public final class FileDetailsStateHolder {
    public private(set) var state = FileDetailsState()

    @ObservationIgnored private let id: ItemID
    @ObservationIgnored private let folders: any FolderRepository
    @ObservationIgnored private let transfers: (any DeviceTransfers)?
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    /// - Parameter transfers: what waits on this device; nil in a server's own web app, where nothing does.
    public init(
        _ id: ItemID, folders: any FolderRepository, transfers: (any DeviceTransfers)?, words: Words,
        clock: PersonsClock
    ) {
        self.id = id
        self.folders = folders
        self.transfers = transfers
        self.words = words
        self.clock = clock
    }

    public func open() async {
        do {
            let item = try await folders.item(id)
            let above = try await folders.above(id)
            state.name = ShownName.of(item.name)
            state.kind = FileKind(item)
            state.facts = [
                fact(.type, kind(of: item)), fact(.location, words.place(above.dropFirst().map(\.name))),
                item.isFolder
                    ? fact(.inside, words.items(try await folders.window(of: id, order: .name, 0..<1).total))
                    : fact(.size, words.size(item.size)),
                fact(.modified, words.moment(item.modifiedAt, at: clock)),
            ]
            if item.isKept { state.facts.append(fact(.offline, words[.keptOffline])) }
            state.waiting = try await waiting(item)
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    private func fact(_ phrase: Phrase, _ text: String) -> FileDetailsState.Fact {
        FileDetailsState.Fact(label: words[phrase], text: text)
    }

    /// «Picture (image/png)».
    private func kind(of item: FolderItem) -> String {
        let word = words[state.kind.phrase]
        return item.isFolder ? word : "\(word) (\(ShownName.of(FileKind.mediaType(of: item))))"
    }

    private func waiting(_ item: FolderItem) async throws -> FileDetailsState.Waiting? {
        let all = try await transfers?.look(most: .max).items.filter { $0.item == id && !$0.isOver } ?? []
        guard let one = all.first(where: \.asks) ?? all.last else {
            guard item.isWaiting else { return nil }
            return FileDetailsState.Waiting(text: words[.waitingToBeSent], asks: item.asks, place: .transfers)
        }
        return FileDetailsState.Waiting(
            text: words.deed(one.deed) + ": " + words.standing(of: one, rate: nil, at: clock),
            advice: one.failure.flatMap { words.failure($0).remedy }, asks: one.asks,
            place: one.state == .conflict ? .conflicts : .transfers)
    }
}
