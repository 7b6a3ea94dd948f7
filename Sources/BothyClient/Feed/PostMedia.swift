import BothyContract
import NIOCore

/// Pictures and videos of posts. Small pictures, and what is small itself, are fetched whole and stay on this device for times
/// without a connection; of the rest, the parts that are asked for come from the server.
package struct PostMedia: Sendable {
    /// Bytes up to which one is kept.
    private static let mostKept: Int64 = 8 << 20
    /// Bytes that are asked for at once of what is not kept.
    private static let part: Int64 = 4 << 20

    private let network: NetworkDispatcher
    private let kept: KeptPictures

    init(network: NetworkDispatcher, kept: KeptPictures) {
        self.network = network
        self.kept = kept
    }

    /// - Parameter quality: nil for the attachment itself, as for what no small picture is made of.
    /// - Throws: `offline` for what is not kept; `notFound` for what is gone.
    func served(_ attachment: Attachment, _ quality: MediaQuality?) async throws -> ServedContent {
        if let kept = kept(attachment, atLeast: quality) { return kept }
        if let quality, attachment.address(quality) != attachment.contentUrl {
            do {
                return try await fetched(attachment, quality)
            } catch let failure as ClientFailure
                where failure.problem?.code == .noPreview && attachment.type == .image
            {
                // A picture is a picture of itself.
            }
        }
        let answer = try await network.send(
            WireRequest(.HEAD, attachment.contentUrl, signed: false, retries: .brief))
        guard let size = answer.headers.first(name: "Content-Length").flatMap(Int64.init) else {
            throw ClientFailure(.answerInvalid, "The server does not say how large that is.")
        }
        if size <= Self.mostKept { return try await fetched(attachment, nil) }
        return there(attachment, size: size, mimeType: answer.mimeType)
    }

    /// What is here already, in this size or a larger one; nil where the server has to be asked.
    func kept(_ attachment: Attachment, atLeast quality: MediaQuality?) -> ServedContent? {
        Self.sizes(of: attachment.type, atLeast: quality).lazy
            .compactMap { kept.find(Self.name(attachment, $0)) }.first?.served(as: Self.title(attachment))
    }

    func forget(_ attachment: Attachment) {
        kept.forget(Self.name(attachment, nil))
        for quality in MediaQuality.allCases { kept.forget(Self.name(attachment, quality)) }
    }

    /// The sizes that serve for one, the smallest first. A picture serves for itself in every size; a film is no picture.
    static func sizes(of type: OpenWord<AttachmentType>, atLeast quality: MediaQuality?) -> [MediaQuality?] {
        guard let quality else { return [nil] }
        let sizes: [MediaQuality?] = MediaQuality.allCases.drop { $0 != quality }.map { $0 }
        return type == .image ? sizes + [nil] : sizes
    }

    /// What one is kept under.
    private static func name(_ attachment: Attachment, _ quality: MediaQuality?) -> String {
        quality.map { "\(attachment.id)-\($0.rawValue)" } ?? "\(attachment.id)"
    }

    private static func title(_ attachment: Attachment) -> String { attachment.caption ?? "\(attachment.id)" }

    // MARK: - Fetching

    /// What is small, whole; it is kept.
    private func fetched(_ attachment: Attachment, _ quality: MediaQuality?) async throws -> ServedContent {
        let picture = try await network.picture(at: attachment.address(quality), most: Self.mostKept)
        kept.keep(picture, as: Self.name(attachment, quality))
        return picture.served(as: Self.title(attachment))
    }

    /// What is large, part by part.
    private func there(_ attachment: Attachment, size: Int64, mimeType: String) -> ServedContent {
        ServedContent(name: Self.title(attachment), mimeType: mimeType, size: size, checksum: nil) {
            [network] range, piece in
            var place = range.lowerBound
            while place < range.upperBound {
                let end = min(place + Self.part, range.upperBound)
                let part = try await network.send(
                    WireRequest(
                        .GET, attachment.contentUrl, headers: ["Range": "bytes=\(place)-\(end - 1)"], signed: false,
                        retries: .brief))
                guard part.status == 206, Int64(part.body.readableBytes) == end - place else {
                    throw ClientFailure(.answerInvalid, "The server answered with the wrong part.")
                }
                try await piece(part.body)
                place = end
            }
        }
    }
}
