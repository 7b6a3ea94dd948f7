import BothyClient
import BothyContract
import Observation

/// What the page about room shows.
public struct StorageState: Equatable, Sendable {
    public struct Part: Equatable, Sendable, Identifiable {
        public enum Kind: Hashable, Sendable {
            case files(FileKind)
            case versions, posts, trash
        }

        public var kind: Kind
        public var name: String
        /// «1.2 GB».
        public var size: String
        /// «12 items».
        public var count: String
        /// Of all parts: 0 to 100, and at least 1 for what is there.
        public var percent: Int

        public var id: Kind { kind }
    }

    public struct File: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
        public var kind: FileKind
        public var size: String
        /// Where it lies: «Files / Letters».
        public var place: String
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    /// «1.2 GB of 10 GB used».
    public var used: String
    /// Whole per cents of the room that are used; nil where there is no limit.
    public var share: Int?
    /// Whole per cents above which little room is left.
    public static let nearlyFull = 90
    /// The largest first.
    public var parts = [Part]()
    /// What the parts come to: «Together 1.2 GB»; empty where there are none.
    public var together = ""
    /// Nothing is known here of earlier versions: the server cannot be asked now.
    public var lacksVersions = false
    /// The largest first.
    public var largest = [File]()
    public var standing = Standing.fresh

    /// What emptying the trash frees, at the most; nil where there is nothing in it.
    public var trash: Part? { parts.first { $0.kind == .trash } }
    public var isNearlyFull: Bool { (share ?? 0) > Self.nearlyFull }
    public var isEmpty: Bool { standing == .shown && parts.isEmpty }
}

/// What takes room, and what can be freed.
@MainActor @Observable
public final class StorageStateHolder {
    /// Of the largest files, how many are shown.
    public nonisolated static let mostLarge = 10

    public private(set) var state: StorageState

    @ObservationIgnored private let settings: any AccountSettings
    @ObservationIgnored private let words: Words

    public init(_ settings: any AccountSettings, quota: AboutResponse.Quota, words: Words) {
        self.settings = settings
        self.words = words
        state = StorageState(
            used: words.used(quota), share: quota.limit.map { $0 > 0 ? Int(min(100, quota.used * 100 / $0)) : 100 })
    }

    public func open() async {
        do {
            let use = try await settings.storage(largest: Self.mostLarge)
            var sums = [StorageState.Part.Kind: StorageUse.Part]()
            for (type, part) in use.files {
                let kind = StorageState.Part.Kind.files(FileKind(mediaType: type))
                sums[kind, default: .init()].count += part.count
                sums[kind, default: .init()].bytes += part.bytes
            }
            sums[.versions] = use.versions
            sums[.posts] = use.posts
            sums[.trash] = use.trash
            let parts = sums.filter { $0.value.count > 0 }
            state.parts = self.parts(parts)
            let bytes = parts.values.reduce(0) { $0 + $1.bytes }
            state.together = parts.isEmpty ? "" : words.filled(.storageTogether, words.size(bytes))
            state.lacksVersions = use.versions == nil
            state.largest = use.largest.filter { $0.item.size > 0 }.map { found in
                StorageState.File(
                    id: found.id, name: ShownName.of(found.item.name), kind: FileKind(found.item),
                    size: words.size(found.item.size),
                    place: ([words[.files]] + found.above.map { ShownName.of($0) }).joined(separator: " / "))
            }
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    private func parts(_ sums: [StorageState.Part.Kind: StorageUse.Part]) -> [StorageState.Part] {
        let all = max(1, sums.values.reduce(0) { $0 + $1.bytes })
        let sorted = sums.sorted { ($0.value.bytes, name($0.key)) > ($1.value.bytes, name($1.key)) }
        return sorted.map { kind, sum in
            StorageState.Part(
                kind: kind, name: name(kind), size: words.size(sum.bytes), count: words.items(sum.count),
                percent: sum.bytes == 0 ? 0 : max(1, Int((Double(sum.bytes) * 100 / Double(all)).rounded())))
        }
    }

    private func name(_ kind: StorageState.Part.Kind) -> String {
        switch kind {
        case .files(let kind): words[kind.phrase]
        case .versions: words[.earlierVersions]
        case .posts: words[.deletedFilesInPosts]
        case .trash: words[.trashTitle]
        }
    }
}
