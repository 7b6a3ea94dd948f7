import BothyContent
import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/v1/content/{revisionId}`: the holder of a signed address reads that revision's bytes. There is no other way in. An
/// address ends with the sign-in that it was made for.
///
/// What shrinks goes compressed to clients that ask for that, as a manipulation of the instance (RFC 3229) and not as a coding of it: a
/// range of a coded content would be of its coded bytes, and the content's tag and digest would be another's.
package struct ContentRoutes: APIRoutes {
    private let database: any Database
    private let reader: ContentReader
    private let packing = AnswerPacking()
    private let media: MediaVariants
    private let signer: URLSigner
    private let sessions: DeviceSessions
    private let clock: any ServerClock

    package init(
        database: any Database, packs: any PackStore, media: MediaVariants, signer: URLSigner,
        sessions: DeviceSessions, clock: any ServerClock
    ) {
        self.database = database
        self.reader = ContentReader(database: database, packs: packs)
        self.media = media
        self.signer = signer
        self.sessions = sessions
        self.clock = clock
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/content/{revisionId}", use: get)
    }

    private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        let (quality, film) = (try MediaWish(request), try FilmWish(request))
        let found = try await find(request, context)
        let (content, maxAge) = (found.content, max(0, found.ends - clock.now().seconds))
        if let quality { return try await picture(of: content, quality, tag: found.tag, maxAge, request) }
        if let film { return try await played(found, film, maxAge, request) }
        guard found.isOfPost else { return try await serve(.whole(content), maxAge, request) }
        switch try await media.cleaning.shown(content) {
        case .whole: return try await serve(.whole(content), maxAge, request)
        case .cleaned(let plan):
            let cleaned = CleanedContent(content: content, plan: plan, reader: reader)
            return try await serve(.cleaned(cleaned, tag: found.tag), maxAge, request)
        case .hidden:
            // A picture that is drawn has nothing in it of what cameras write.
            guard AttachmentType(mimeType: content.mimeType) == .image, media.draws(content.mimeType) else {
                throw Self.notCleaned
            }
            return try await picture(of: content, MediaWish.instead, tag: found.tag, maxAge, request)
        }
    }

    /// A film as it is there now. Where another one is played in its place, its address is told: of one address all ranges are of one film.
    private func played(_ found: Found, _ wish: FilmWish, _ maxAge: Int64, _ request: Request) async throws -> Response
    {
        switch try await media.films.played(found.content, wish.quality) {
        case .film(let film) where !wish.isAutomatic:
            let tag = "\(found.tag)-\(wish.quality.rawValue)"
            var content = found.content
            content.mimeType = FilmQuality.mimeType
            content.name += ".\(wish.quality.rawValue).mp4"
            return try await serve(.film(content, film, tag: tag), maxAge, request)
        case .film: return wish.redirection(to: wish.quality, request)
        case .other(let quality): return wish.redirection(to: quality, request)
        case .itself: return wish.redirection(to: nil, request)
        }
    }

    private static var notCleaned: Problem {
        Problem(
            .notCleaned,
            "This may say where and with what it was taken, and the server cannot take that out of it. Ask who posted it for the file."
        )
    }

    private func serve(_ shown: ShownContent, _ maxAge: Int64, _ request: Request) async throws -> Response {
        let (content, tag, size) = (shown.content, shown.tag, shown.size)
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: "private, immutable, max-age=\(maxAge)", .acceptRanges: "bytes",
            .vary: HeaderNames.acceptManipulations,
        ]
        if Self.names(request.headers[.ifNoneMatch], tag) { return Response(status: .notModified, headers: headers) }
        headers[.reprDigest] = shown.digest
        headers[.contentType] = ContentDisposition.mimeType(content.mimeType)
        headers[.contentDisposition] = ContentDisposition.header(
            name: content.name, mimeType: content.mimeType, isDownload: request.query(QueryNames.download) == "true")
        headers[.xContentTypeOptions] = "nosniff"
        if try await !isVerifiedPDF(content) { headers[.contentSecurityPolicy] = "sandbox" }
        switch wish(request, tag: tag, size: size) {
        case .unsatisfiable:
            var response = try ProblemResponse.response(
                Problem(.rangeNotSatisfiable, "The content has \(size) bytes; the range lies past them."))
            response.headers[.contentRange] = "bytes */\(size)"
            return response
        case .whole:
            return try await serve(shown, 0..<size, status: .ok, headers: headers, request)
        case .part(let range):
            headers[.contentRange] =
                ContentRange(first: range.lowerBound, last: range.upperBound - 1, total: size).text
            return try await serve(shown, range, status: .partialContent, headers: headers, request)
        }
    }

    /// What an address leads to.
    private struct Found {
        var content: StoredContent
        /// Seconds since 1970.
        var ends: Int64
        /// Whether it is read in a post.
        var isOfPost: Bool
        /// What tags of its pictures, and of it without what cameras write, begin with. A reader of a post is not told the hash of the whole.
        var tag: String
    }

    /// - Throws: `url_invalid`, `url_expired`, `account_disabled`, `not_found`.
    private func find(_ request: Request, _ context: APIContext) async throws -> Found {
        let revisionId = context.parameters.get("revisionId") ?? ""
        guard let drive = request.query("drive").flatMap(Int64.init),
            let ends = request.query("exp").flatMap(Int64.init),
            let signature = request.query("sig")
        else { throw Problem(.urlInvalid, "This address is incomplete. Use a file's “downloadUrl” as it is.") }
        let shown = request.query(URLSigner.post)
        let post = shown.flatMap(Int64.init)
        guard (shown == nil) == (post == nil) else { throw URLSigner.notOurs }
        let named = request.query(URLSigner.session)
        let signIn = named.flatMap { AddressedSignIn(text: $0) }
        guard named == nil || signIn != nil else { throw URLSigner.notOurs }
        try signer.check(
            driveId: drive, revisionId: revisionId, ends: ends, signIn: signIn, shownBy: post, signature: signature,
            now: clock.now())
        var content = try await database.read { connection in
            try AccountTable(connection).requireEnabledOwner(ofDrive: drive)
            guard let post else { return try StoredContent.find(revisionId: revisionId, in: connection, drive: drive) }
            let attachments = AttachmentTable(connection, of: drive)
            guard let shown = try attachments.shown(revisionId, in: post, to: signIn?.userId) else {
                throw PostAccess.noSuchPost
            }
            return shown
        }
        guard try await sessions.holds(signIn) else {
            throw Problem(
                .urlExpired,
                "This address has expired with the sign-in that it was made for. Sign in, and ask for the file again."
            )
        }
        content.mimeType = ContentDisposition.servedType(content.mimeType, named: content.name)
        if post != nil { content.name = String(revisionId.suffix(12)) }
        return Found(
            content: content, ends: ends, isOfPost: post != nil,
            tag: post == nil ? content.checksum.hex : "\(revisionId)-clean\(ContentCleaning.edition)")
    }

    /// A small picture is another representation at an address of its own. Its tag is weak: another release of the programs that draw
    /// may make other bytes of the same content.
    private func picture(
        of content: StoredContent, _ wish: MediaWish, tag: String, _ maxAge: Int64, _ request: Request
    ) async throws -> Response {
        let encoding = PictureEncoding(accept: request.headers[.accept])
        let tag = "\"\(tag)-\(wish.quality.rawValue)\(encoding == .webp ? "" : "-\(encoding.rawValue)")\""
        // Where there is none, nobody has it already.
        let picture = try await media.picture(of: content, wish.quality, encoding)
        var headers: HTTPFields = [.vary: wish.vary]
        if picture.isExact {
            headers[.eTag] = "W/\(tag)"
            headers[.cacheControl] = "private, immutable, max-age=\(maxAge)"
            if Self.names(request.headers[.ifNoneMatch], tag) {
                return Response(status: .notModified, headers: headers)
            }
        } else {
            // The one that was asked for comes the next time.
            headers[.cacheControl] = "no-store"
        }
        headers[.contentType] = encoding.mimeType
        headers[.contentDisposition] = ContentDisposition.header(
            name: "\(content.name).\(encoding.rawValue)", mimeType: encoding.mimeType)
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = "sandbox"
        headers[.contentLength] = String(picture.bytes.count)
        if request.method == .head { return Response(status: .ok, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }

    /// A range counts only for the content that the client has a part of; content has a strong tag and no date.
    private func wish(_ request: Request, tag: String, size: Int64) -> ByteRange.Wish {
        if let condition = request.headers[.ifRange], condition != tag { return .whole }
        return ByteRange.read(request.headers[.range], size: size)
    }

    /// The first piece is read before the answer begins: damage that is there is a problem document. Damage later on cuts
    /// the connection, so that nobody takes what came for the whole.
    private func serve(
        _ shown: ShownContent, _ range: Range<Int64>, status: HTTPResponse.Status, headers: HTTPFields,
        _ request: Request
    ) async throws -> Response {
        let length = Int(range.count)
        if request.method == .head {
            var headers = headers
            headers[.contentLength] = String(length)
            return Response(status: status, headers: headers)
        }
        let content: StoredContent
        switch shown {
        case .whole(let whole): content = whole
        case .film(_, let film, _):
            let body = ResponseBody(contentLength: length) { writer in
                try await film.send(range) { try await writer.write($0) }
                try await writer.finish(nil)
            }
            return Response(status: status, headers: headers, body: body)
        case .cleaned(let cleaned, _):
            let opened = try await cleaned.open(range)
            let body = ResponseBody(contentLength: length) { writer in
                try await cleaned.send(opened) { try await writer.write($0) }
                try await writer.finish(nil)
            }
            return Response(status: status, headers: headers, body: body)
        }
        let wishes = WeightedNames(request.headers[.acceptManipulations])
        let manipulations = InstanceManipulations.answer(to: wishes, isRange: status == .partialContent)
        let least = manipulations == nil ? 0 : ShrinkGuess.sampleBytes
        let opened = try await reader.open(content, range: range, reading: least)
        if let manipulations, let first = opened.first,
            let packed = try await packing.begin(
                with: first, isSmallAtRest: opened.isSmallAtRest, frameBytes: InstanceManipulations.frameBytes)
        {
            return serve(opened, packed, manipulations, headers)
        }
        let body = ResponseBody(contentLength: length) { [reader] writer in
            try await reader.send(opened) { try await writer.write($0) }
            try await writer.finish(nil)
        }
        return Response(status: status, headers: headers, body: body)
    }

    /// 226, compressed as it goes. A cache that knows nothing of such answers must not keep one for the content: it obeys `no-store`, which one
    /// that knows them ignores for the sake of `im` (RFC 3229 §10.8.3).
    private func serve(
        _ opened: ContentReader.Opened, _ packed: PackedAnswer, _ manipulations: String, _ headers: HTTPFields
    ) -> Response {
        var headers = headers
        headers[.manipulations] = manipulations
        headers[.cacheControl] = headers[.cacheControl].map { "no-store, im, \($0)" }
        let body = ResponseBody { [reader] writer in
            try await reader.send(opened) { try await writer.write(packed.pack($0)) }
            try await writer.write(packed.end())
            try await writer.finish(nil)
        }
        return Response(status: .imUsed, headers: headers, body: body)
    }

    /// Browsers refuse to show a PDF in a sandbox, so one that begins as a PDF does is let out of it.
    private func isVerifiedPDF(_ content: StoredContent) async throws -> Bool {
        let magic = Array("%PDF-".utf8)
        guard ContentDisposition.essence(of: content.mimeType) == "application/pdf", content.size >= magic.count else {
            return false
        }
        return try await reader.bytes(of: content, first: magic.count) == magic
    }

    /// Whether an `If-None-Match` names the tag; a weak comparison (RFC 9110 §8.8.3.2).
    static func names(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            var part = part.drop { $0 == " " || $0 == "\t" }
            while part.last == " " || part.last == "\t" { part.removeLast() }
            if part.hasPrefix("W/") { part = part.dropFirst(2) }
            return part == "*" || part == tag
        }
    }
}

extension HTTPField.Name {
    fileprivate static let reprDigest = Self(HeaderNames.reprDigest)!
    fileprivate static let acceptManipulations = Self(HeaderNames.acceptManipulations)!
    fileprivate static let manipulations = Self(HeaderNames.manipulations)!
}

extension HTTPResponse.Status {
    /// RFC 3229 §10.4.1.
    fileprivate static let imUsed = Self(code: 226, reasonPhrase: "IM Used")
}
