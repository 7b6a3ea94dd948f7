import BothyContent
import BothyContract
import Foundation

/// Finds out how contents are shown to people who read them in posts: without where, when, with what and by whom they were taken.
///
/// What is found out of a content holds for ever and is kept in memory for a while, so that the ranges of a film do not ask again.
actor ContentCleaning {
    /// How a content is shown.
    enum Shown: Sendable {
        /// As it is: there is nothing in it that has to go.
        case whole
        case cleaned(CleaningPlan)
        /// Not at all: it may say more than its readers are to know, and cannot be cleaned here.
        case hidden
    }

    /// It is one of the plans of this release; another release may leave out more.
    static let edition = 2

    /// Bytes of a picture, and of what no reader here knows, which is searched for signs.
    private static let mostPicture: Int64 = 256 << 20
    private static let mostUnknown: Int64 = 64 << 20
    /// Contents that are looked at at once, and that wait for that.
    private static let (atOnce, mostWaiting) = (2, 512)
    /// Contents that are remembered, and pieces of all their plans together.
    private static let (mostKnown, mostPieces) = (4096, 1 << 17)

    private struct Key: Hashable {
        var drive: Int64
        var checksum: ContentHash
    }

    private let mapped: MappedContent
    private let turns: Turns
    private var known = [Key: Shown]()
    /// The one that was found out first is forgotten first.
    private var order = [Key]()
    private var pieces = 0
    private var asking = [Key: Task<Shown, any Error>]()

    init(_ mapped: MappedContent) {
        self.mapped = mapped
        turns = Turns(
            atOnce: Self.atOnce, mostWaiting: Self.mostWaiting,
            refusal: Problem(.busy, "Too many pictures are being requested. Try again in a few seconds."))
    }

    /// - Throws: `busy`, `disk_full`; what reading the content throws.
    func shown(_ content: StoredContent) async throws -> Shown {
        let key = Key(drive: content.driveId, checksum: content.checksum)
        if let shown = known[key] { return shown }
        if let task = asking[key] { return try await task.value }
        // One for all who ask for it meanwhile, and the first to ask may have gone.
        let task = Task {
            defer { asking[key] = nil }
            let shown = try await turns.run { [mapped] in try await Self.find(content, mapped) }
            remember(shown, key)
            return shown
        }
        asking[key] = task
        return try await task.value
    }

    private func remember(_ shown: Shown, _ key: Key) {
        guard shown.pieceCount <= Self.mostPieces, known.updateValue(shown, forKey: key) == nil else { return }
        order.append(key)
        pieces += shown.pieceCount
        while order.count > Self.mostKnown || pieces > Self.mostPieces {
            pieces -= known.removeValue(forKey: order.removeFirst())?.pieceCount ?? 0
        }
    }

    private static func find(_ content: StoredContent, _ mapped: MappedContent) async throws -> Shown {
        let plan = try await plan(content, mapped)
        guard case .cleaned(let cleaning) = plan, cleaning.keepsAll(of: content.size) else { return plan }
        return .whole
    }

    private static func plan(_ content: StoredContent, _ mapped: MappedContent) async throws -> Shown {
        let beginning = try await mapped.reader.beginning(of: content, most: MediaFormat.sampleBytes)
        if beginning.withUnsafeBytes({ PictureKind(MediaBytes($0)) }) != nil {
            guard content.size <= mostPicture else { return .hidden }
            return try await mapped.look(at: content) { bytes in
                PictureCleaning.plan(bytes).map { Shown.cleaned($0) } ?? .hidden
            }
        }
        if FilmReading.isKnown(beginning) {
            let plan = try await FilmReading(reader: mapped.reader, content: content).cleaning()
            return plan.map { Shown.cleaned($0) } ?? .hidden
        }
        // A picture that no reader here knows is shown as it is drawn.
        guard content.size <= mostUnknown, !content.mimeType.hasPrefix("image/") else { return .hidden }
        return try await mapped.look(at: content) { PictureCleaning.hasSigns($0) ? Shown.hidden : .whole }
    }
}

extension ContentCleaning.Shown {
    fileprivate var pieceCount: Int {
        if case .cleaned(let plan) = self { plan.pieces.count } else { 0 }
    }
}
