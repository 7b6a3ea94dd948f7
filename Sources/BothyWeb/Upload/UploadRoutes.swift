import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird
import Mustache

/// `/uploads`, `/upload/{id}`, `/folder/{id}/upload`: files on their way up from a browser. Its script talks JSON here,
/// and sends bytes as they are.
struct UploadRoutes: Sendable {
    /// What the browser found a chunk to be, in hex; absent where it may not hash.
    static let hashHeader = HTTPField.Name(HeaderNames.chunkHash)!

    let writer: PageWriter

    var screens: [Screen] {
        [
            .page("/uploads", list), .form("/folder/{id}/upload", begin), .form("/folder/{id}/inside", inside),
            .page("/upload/{id}", standing), .bytes(.put, "/upload/{id}/chunk", receive),
            .form("/upload/{id}/finish", finish), .form("/upload/{id}/cancel", cancel),
            .bytes(.post, "/uploads/batch", receiveBatch), .page("/file/{id}/beside", beside),
            .page("/file/{id}/holds", holds),
        ]
    }

    /// What was begun from this browser before, as rows; with a mark for forms, for a page that has been open for long.
    @Sendable private func list(_ visit: Visit) async throws -> Response {
        let holder = await UploadStateHolder(visit.person.uploads, words: visit.words, seconds: { 0 })
        await holder.open()
        let rows = await holder.state.rows
        let html = writer.html(.uploadRows, ["rows": rows.map { UploadRowView($0) }], visit)
        return try writer.data(Listed(token: writer.token(visit), rows: html), visit: visit)
    }

    @Sendable private func begin(_ visit: Visit, _ form: FormBody) async throws -> Response {
        guard let size = form["size"].flatMap({ Int64($0) }), let modified = form["modified"].flatMap({ Int64($0) })
        else { throw ClientFailure(.refused, visit.words[.failedTitle]) }
        let standing = try await visit.person.uploads.begin(
            UploadOffer(
                folder: visit.id, name: form["name"] ?? "", size: size,
                modifiedAt: Self.time(modified),
                mimeType: form["type"].flatMap { $0.isEmpty ? nil : $0 }, conflict: Self.policy(form)))
        return try writer.data(Standing(standing), visit: visit)
    }

    /// Milliseconds from 1970 of the years 1 to 9999, which is what a time on the wire can say.
    private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    private static func time(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: min(max(milliseconds, times.lowerBound), times.upperBound))
    }

    @Sendable private func standing(_ visit: Visit) async throws -> Response {
        try writer.data(Standing(try await visit.person.uploads.standing(of: visit.id.text)), visit: visit)
    }

    @Sendable private func receive(_ visit: Visit) async throws -> Response {
        guard let index = visit.number("index", in: 0...UploadLimits.maximumChunks) else {
            throw ClientFailure(.refused, visit.words[.failedTitle])
        }
        let headers = visit.request.headers
        let hash = headers[Self.hashHeader].map { $0.split(separator: "=") }
        guard hash.map({ $0.count == 2 && $0[0] == "sha256" && $0[1].utf8.count == 64 }) ?? true else {
            throw ClientFailure(.refused, visit.words[.failedTitle])
        }
        let item = try await visit.person.uploads.receive(
            chunk: index, of: visit.id.text, sha256: hash.flatMap { ContentHash(hex: $0[1]) },
            length: headers[.contentLength].flatMap { Int64($0) }, from: visit.request.body)
        return try writer.data(Arrived(file: item?.id.text), visit: visit)
    }

    @Sendable private func finish(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let item = try await visit.person.uploads.finish(visit.id.text, conflict: Self.policy(form))
        return try writer.data(Arrived(file: item.id.text), visit: visit)
    }

    @Sendable private func cancel(_ visit: Visit, _ form: FormBody) async throws -> Response {
        try await visit.person.uploads.cancel(visit.id.text)
        return try writer.data(Arrived(file: nil), visit: visit)
    }

    @Sendable private func receiveBatch(_ visit: Visit) async throws -> Response {
        let answer = try await visit.person.uploads.receiveBatch(
            length: visit.request.headers[.contentLength].flatMap { Int($0) }, from: visit.request.body)
        let items = answer.map { outcome in
            switch outcome {
            case .success(let id): Item(file: id.text)
            case .failure(let failure): Item(refused: Refusal(failure, visit.words))
            }
        }
        return try writer.data(Batch(items: items), visit: visit)
    }

    /// A file beside one that is to have its name, for a person who has to choose.
    @Sendable private func beside(_ visit: Visit) async throws -> Response {
        let there = try await visit.person.folders.item(visit.id)
        let modified = visit.query("modified").flatMap { Int64($0) } ?? 0
        let both = visit.words.beside(
            there, size: max(0, visit.query("size").flatMap { Int64($0) } ?? 0), modifiedAt: Self.time(modified),
            at: visit.clock)
        return try writer.data(Beside(there: both.there, new: both.new), visit: visit)
    }

    /// What a file holds, for the script to compare with a file that is to have its name.
    @Sendable private func holds(_ visit: Visit) async throws -> Response {
        let there = try await visit.person.uploads.content(of: visit.id)
        return try writer.data(Holds(size: there.size, sha256: there.checksum?.hex), visit: visit)
    }

    /// The folder of a name in a folder, made where there is none: for folders that are dropped.
    @Sendable private func inside(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let folder = try await visit.person.uploads.folder(named: form["name"] ?? "", in: visit.id)
        return try writer.data(Inside(id: folder.text), visit: visit)
    }

    private static func policy(_ form: FormBody) -> ConflictPolicy {
        form["conflict"].flatMap { ConflictPolicy(rawValue: $0) } ?? .fail
    }
}

// MARK: - What the script is told

extension UploadRoutes {
    private struct Listed: Encodable {
        var token: String
        var rows: String
    }

    private struct Standing: Encodable {
        var id: String
        var chunkSize: Int64
        var missing: [Int]
        var file: String?

        init(_ standing: UploadStanding) {
            id = standing.id
            chunkSize = standing.chunkSize
            missing = standing.missing
            file = standing.item?.id.text
        }
    }

    private struct Arrived: Encodable { var file: String? }
    private struct Inside: Encodable { var id: String }

    private struct Beside: Encodable {
        var there: String
        var new: String
    }

    private struct Holds: Encodable {
        var size: Int64
        var sha256: String?
    }

    private struct Batch: Encodable { var items: [Item] }

    private struct Item: Encodable {
        var file: String?
        var refused: Refusal?
    }
}

/// A refusal as the script is told of it: what a program acts on, and what a person reads.
struct Refusal: Encodable {
    var code: FailureCode
    var words: String
    var remedy: String
    /// What has the name, where that is why.
    var taken: String?

    init(_ failure: ClientFailure, _ catalogue: Words) {
        let notice = catalogue.failure(failure)
        code = failure.code
        taken = failure.problem?.conflictingFileId
        words = notice.text
        remedy = notice.remedy ?? ""
    }
}

/// One row, as its view names things.
struct UploadRowView: MustacheParent {
    private let row: UploadRow

    init(_ row: UploadRow) { self.row = row }

    func child(named name: String) -> Any? {
        switch name {
        case "session": row.session
        case "name": row.name
        case "detail": row.detail
        case "percent": Int(row.share * 100)
        default: nil
        }
    }
}
