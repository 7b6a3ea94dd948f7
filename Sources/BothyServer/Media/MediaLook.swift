import BothyContent
import BothyContract
import Foundation

/// What is told of a picture or a film so that it has its room, and its colours, before it is there.
package struct MediaLook: Equatable, Sendable {
    /// Points, as it is shown: upright.
    package var width: Int?
    package var height: Int?
    /// Of a film.
    package var durationMs: Int64?
    /// A ``ThumbHash``, in base64.
    package var placeholder: String?

    package init(width: Int? = nil, height: Int? = nil, durationMs: Int64? = nil, placeholder: String? = nil) {
        self.width = width
        self.height = height
        self.durationMs = durationMs
        self.placeholder = placeholder
    }

    /// The columns that ``init(_:from:)`` reads.
    ///
    /// - Parameter table: the name of `post_attachments` in the statement; nil for a table that has none of them.
    static func columns(of table: String?) -> String {
        let names = ["width", "height", "duration_ms", "placeholder"]
        return names.map { name in table.map { "\($0).\(name)" } ?? "NULL" }.joined(separator: ", ")
    }

    init(_ row: SQLRow, from column: Int) {
        width = row.optional(column, SQLRow.int)
        height = row.optional(column + 1, SQLRow.int)
        durationMs = row.optional(column + 2, SQLRow.int64)
        placeholder = row.optional(column + 3, SQLRow.string)
    }

    /// A side without the other one says nothing of its room.
    private mutating func take(_ width: Int?, _ height: Int?) {
        guard let width, let height else { return }
        (self.width, self.height) = (width, height)
    }

    /// What it says of itself, read by readers of our own: nothing is decoded.
    ///
    /// - Throws: `disk_full`; what reading the content throws.
    static func head(of content: StoredContent, _ mapped: MappedContent) async throws -> MediaLook {
        let beginning = try await mapped.reader.beginning(of: content, most: MediaFormat.sampleBytes)
        var look = MediaLook()
        if beginning.withUnsafeBytes({ PictureKind(MediaBytes($0)) }) != nil {
            guard content.size <= mostPicture else { return look }
            let head = try await mapped.look(at: content) { PictureHead.read($0) }
            look.take(head?.width, head?.height)
        } else if FilmReading.isKnown(beginning) {
            let head = try await FilmReading(reader: mapped.reader, content: content).head()
            look.take(head?.width, head?.height)
            look.durationMs = head?.durationMs
        }
        return look
    }

    /// Bytes.
    private static let mostPicture: Int64 = 256 << 20
}
