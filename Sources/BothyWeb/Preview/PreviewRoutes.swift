import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/file/{id}`: one file, opened, and its bytes.
struct PreviewRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page("/file/{id}", show), .page("/file/{id}/content", content), .page("/file/{id}/neighbours", neighbours),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await PreviewStateHolder(
            visit.id, folders: visit.person.folders, words: visit.words, clock: visit.clock)
        await holder.open()
        let state = await holder.state
        if case .failed(let notice, let isMissing) = state.standing {
            return writer.failed(notice, isMissing: isMissing, visit: visit)
        }
        return writer.page(.preview, Self.context(state), title: state.name, visit: visit)
    }

    @Sendable private func content(_ visit: Visit) async throws -> Response {
        try await ContentResponse.make(
            try await visit.person.content(visit.id, visit.quality), visit, writer,
            isDownload: visit.query(QueryNames.download) != nil)
    }

    /// The pictures and films around a file, for the viewer.
    @Sendable private func neighbours(_ visit: Visit) async throws -> Response {
        let media = try await MediaNeighbours(folders: visit.person.folders).around(visit.id)
        let items = media.items.map { medium in
            let source = Destination.file(medium.id).link + "/content"
            let high = MediaQuality.high.address(of: source)
            return ViewedMedium(
                kind: medium.type,
                source: medium.type == .video
                    ? FilmQuality.address(of: source) : medium.isShownWhole ? source : high, original: source,
                poster: medium.type == .video ? high : nil, caption: "", name: medium.name)
        }
        return try writer.data(ViewedMedia(at: media.place, items: items), visit: visit)
    }

    /// The address of a file's content, to be kept by the browser and not shown.
    static func download(_ file: ItemID) -> String {
        Destination.file(file).link + "/content?\(QueryNames.download)=true"
    }

    private static func context(_ state: PreviewState) -> [String: Any] {
        let source = Destination.file(state.file).link + "/content"
        var context: [String: Any] = [
            "id": state.file.text, "name": state.name, "size": state.size, "modified": state.modified,
            "kind": state.kind.rawValue, "kindWord": state.mediaType,
            "crumbs": state.crumbs.map { ["name": $0.name, "link": Destination.folder($0.id).link] },
            "versions": Destination.versions(state.file).link,
            "original": source, "source": state.kind == .video ? FilmQuality.address(of: source) : source,
            "shrunk": MediaQuality.high.address(of: source),
        ]
        if state.kind == .image {
            context["face"] = ["link": Destination.profile.link + "?picture=" + state.file.text]
        }
        if state.kind == .image || state.kind == .video {
            context["post"] = ["link": Destination.newPost.link + "?file=" + state.file.text]
        }
        switch state.content {
        case .image: context["image"] = true
        case .picture: context["picture"] = true
        case .video: context["video"] = true
        case .audio: context["audio"] = true
        case .pdf: context["pdf"] = true
        case .text(let text, _) where text.isEmpty: context["empty"] = true
        case .text(let text, let isWhole): context["text"] = ["body": text, "isCut": !isWhole] as [String: Any]
        case .markdown(let text, let isWhole):
            context["markdown"] =
                ["blocks": text.placed.map { MarkdownBlockView($0) }, "isCut": !isWhole] as [String: Any]
        case .none: context["none"] = true
        case .away(let notice):
            var told = ["text": notice.text]
            told["remedy"] = notice.remedy
            context["away"] = told
        }
        return context
    }
}
