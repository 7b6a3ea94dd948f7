import BothyClient
import BothyContract
import Foundation
import HTTPTypes
import Hummingbird

/// Stored content as an answer: never as a page of ours.
enum ContentResponse {
    /// Sends the browser to where the bytes are, a signed address that is served by the API's own rules for stored content;
    /// or answers with them by the same rules.
    ///
    /// - Parameter isDownload: the browser is to keep it as a file, and not to show it.
    static func make(
        _ place: ContentPlace, _ visit: Visit, _ writer: PageWriter, isDownload: Bool = false
    ) async throws -> Response {
        switch place {
        case .address(let address):
            let played = visit.isPlayed ? FilmQuality.address(of: address) : address
            return writer.redirect(
                to: isDownload ? "\(address)&\(QueryNames.download)=true" : played, visit: visit)
        case .here(let content): return try await answer(content, visit.request, isDownload: isDownload)
        }
    }

    private static func answer(
        _ stored: ServedContent, _ request: Request, isDownload: Bool
    ) async throws -> Response {
        var content = stored
        content.mimeType = ContentDisposition.servedType(stored.mimeType, named: stored.name)
        let tag = content.checksum.map { "\"\($0.hex)\"" }
        // A person who signs out of this browser takes what it showed along.
        var headers: HTTPFields = [.cacheControl: "no-store", .acceptRanges: "bytes"]
        if let tag { headers[.eTag] = tag }
        headers[.contentType] = ContentDisposition.mimeType(content.mimeType)
        headers[.contentDisposition] = ContentDisposition.header(
            name: content.name, mimeType: content.mimeType, isDownload: isDownload)
        headers[.xContentTypeOptions] = "nosniff"
        headers[.resourcePolicy] = "same-origin"
        if try await !isVerifiedPDF(content) { headers[.contentSecurityPolicy] = "sandbox" }
        switch wish(request, tag, size: content.size) {
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(content.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        case .whole: return serve(content, 0..<content.size, .ok, headers)
        case .part(let range):
            headers[.contentRange] =
                ContentRange(first: range.lowerBound, last: range.upperBound - 1, total: content.size).text
            return serve(content, range, .partialContent, headers)
        }
    }

    /// A range counts only for the content that the browser has a part of.
    private static func wish(_ request: Request, _ tag: String?, size: Int64) -> ByteRange.Wish {
        if let condition = request.headers[.ifRange], condition != tag { return .whole }
        return ByteRange.read(request.headers[.range], size: size)
    }

    private static func serve(
        _ content: ServedContent, _ range: Range<Int64>, _ status: HTTPResponse.Status, _ headers: HTTPFields
    ) -> Response {
        Response(
            status: status, headers: headers,
            body: ResponseBody(contentLength: range.count) { writer in
                try await content.send(range) { try await writer.write($0) }
                try await writer.finish(nil)
            })
    }

    /// Browsers refuse to show a PDF in a sandbox, so one that begins as a PDF does is let out of it.
    private static func isVerifiedPDF(_ content: ServedContent) async throws -> Bool {
        let magic = Array("%PDF-".utf8)
        guard ContentDisposition.essence(of: content.mimeType) == "application/pdf",
            content.size >= Int64(magic.count)
        else { return false }
        var beginning = [UInt8]()
        try await content.send(0..<Int64(magic.count)) { beginning += $0.readableBytesView }
        return beginning == magic
    }
}
