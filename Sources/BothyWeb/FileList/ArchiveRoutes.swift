import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/folder/{id}/zip`: a folder, or what was chosen in it, in one download. A single file comes as itself.
struct ArchiveRoutes: Sendable {
    /// Things that may be chosen for one.
    static let most = 10_000

    let writer: PageWriter

    var screens: [Screen] { [.page("/folder/{id}/zip", folder), .form("/folder/{id}/zip", chosen)] }

    @Sendable private func folder(_ visit: Visit) async throws -> Response { try await zip([visit.id], visit) }

    @Sendable private func chosen(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let ids = form.all("id").prefix(Self.most).map { ItemID($0) }
        guard let first = ids.first else { throw ClientFailure(.refused, visit.words[.chooseFirst]) }
        if ids.count == 1, try await !visit.person.folders.item(first).isFolder {
            return writer.redirect(to: PreviewRoutes.download(first), visit: visit)
        }
        return try await zip(ids, visit)
    }

    private func zip(_ ids: [ItemID], _ visit: Visit) async throws -> Response {
        let archive = try await visit.person.archives.zip(ids)
        var headers = writer.headers(visit)
        headers[.contentType] = "application/zip"
        headers[.contentDisposition] = archive.disposition
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody(contentLength: Int(archive.size)) { writer in
                try await archive.send { try await writer.write($0) }
                try await writer.finish(nil)
            })
    }
}
