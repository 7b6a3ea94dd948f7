import BothyClient
import BothyContract
import Observation

/// What the page of one file shows.
public struct PreviewState: Equatable, Sendable {
    /// How the content is shown.
    public enum Content: Equatable, Sendable {
        case image, video, audio, pdf
        /// A small picture of it, which the server makes.
        case picture
        /// - Parameter isWhole: false where only the beginning is here.
        case text(String, isWhole: Bool)
        /// - Parameter isWhole: false where only the beginning is here.
        case markdown(MarkdownText, isWhole: Bool)
        /// It is downloaded instead.
        case none
        /// It is elsewhere, and there is no way to it now.
        case away(Notice)
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice, isMissing: Bool)
    }

    public var file: ItemID
    public var name = ""
    /// The folders that it lies in, the root first.
    public var crumbs = [Crumb]()
    public var kind = FileKind.other
    public var content = Content.none
    public var size = ""
    public var modified = ""
    public var mediaType = ""
    public var standing = Standing.fresh
}

/// One file, opened.
@MainActor @Observable
public final class PreviewStateHolder {
    /// Bytes of a text that are shown; more would not be read here.
    public nonisolated static let mostText = 256 << 10
    /// Bytes of a picture that a page still shows by itself.
    public nonisolated static let mostImage: Int64 = 64 << 20

    public private(set) var state: PreviewState

    @ObservationIgnored private let folders: any FolderRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ file: ItemID, folders: any FolderRepository, words: Words, clock: PersonsClock) {
        self.folders = folders
        self.words = words
        self.clock = clock
        state = PreviewState(file: file)
    }

    public func open() async {
        do {
            let item = try await folders.item(state.file)
            guard !item.isFolder else {
                throw ClientFailure(.notAFile, words.filled(.isAFolder, ShownName.of(item.name)))
            }
            state.name = ShownName.of(item.name)
            state.crumbs = Crumb.way(try await folders.above(state.file), words)
            state.kind = FileKind(item)
            state.size = words.size(item.size)
            state.modified = words.moment(item.modifiedAt, at: clock)
            state.content = try await content(of: item)
            state.mediaType = words[state.kind.phrase]
            state.standing = .shown
        } catch {
            let isMissing = [.notFound, .notAFile].contains((error as? ClientFailure)?.code)
            state.standing = .failed(words.failure(error), isMissing: isMissing)
        }
    }

    /// Only what a browser shows without running anything of it; a drawing that can hold scripts is downloaded.
    private func content(of item: FolderItem) async throws -> PreviewState.Content {
        let type = FileKind.mediaType(of: item)
        let shown: PreviewState.Content? =
            switch state.kind {
            case .image where PictureTypes.isShown(type) && item.size <= Self.mostImage: .image
            case .image where PictureTypes.isDrawn(type): .picture
            case .video where Self.films.contains(type): .video
            case .audio where Self.sounds.contains(type): .audio
            case .pdf: .pdf
            default: nil
            }
        do {
            if shown == nil, [.text, .code, .sheet].contains(state.kind) { return try await text(of: item, type) }
            if state.kind == .other, MediaType.mayBeText(type), item.size > 0 { return try await unnamedText(of: item) }
            // A page could only leave a gap where what it asks for does not come, and a download fails without a word.
            if item.size > 0 { _ = try await folders.beginning(of: item.id, most: 1) }
            return shown ?? .none
        } catch let failure as ClientFailure where failure.needsConnection {
            return .away(words.failure(failure))
        }
    }

    /// Neither the name nor the type says what it is: its content does, if it is a text.
    private func unnamedText(of item: FolderItem) async throws -> PreviewState.Content {
        let bytes = try await folders.beginning(of: item.id, most: Self.mostText)
        guard let text = ReadText.of(bytes), !text.unicodeScalars.contains(where: Self.isInNoText) else { return .none }
        state.kind = .text
        return .text(text, isWhole: Int64(bytes.count) >= item.size)
    }

    /// Signs that control something, except for those that make lines and columns.
    private static func isInNoText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\u{0C}", "\r", "\u{1B}": false
        default: scalar.properties.generalCategory == .control
        }
    }

    private func text(of item: FolderItem, _ type: String) async throws -> PreviewState.Content {
        guard item.size > 0 else { return .text("", isWhole: true) }
        let bytes = try await folders.beginning(of: item.id, most: Self.mostText)
        guard let text = ReadText.of(bytes) else { return .none }
        let isWhole = Int64(bytes.count) >= item.size
        guard type == "text/markdown" else { return .text(text, isWhole: isWhole) }
        // It may take a moment, and this is where every screen is made.
        let markdown = await Task.detached { MarkdownText(text) }.value
        return .markdown(markdown, isWhole: isWhole && !markdown.isCut)
    }

    /// QuickTime's films of today's telephones hold what MP4 holds; a browser that cannot show one says so.
    private static let films: Set<String> = ["video/mp4", "video/webm", "video/ogg", "video/quicktime"]
    private static let sounds: Set<String> = [
        "audio/mpeg", "audio/mp4", "audio/ogg", "audio/flac", "audio/wav", "audio/aac",
    ]
}
