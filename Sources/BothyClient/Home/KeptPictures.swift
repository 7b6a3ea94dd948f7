import BothyContract
import Foundation
import NIOCore

/// Pictures that stay on this device for times without a connection, each with its media type before it, on a line of its own. It is
/// a cache: what is not here is fetched again.
struct KeptPictures: Sendable {
    /// Bytes that those of one folder may take.
    private static let room: Int64 = 200_000_000

    private let content: ContentStore
    private let folder: String

    init(in folder: String, of content: ContentStore) {
        self.content = content
        self.folder = folder
    }

    struct Picture: Sendable {
        var mimeType: String
        var bytes: ByteBuffer

        /// As a browser may be given it.
        func served(as name: String) -> ServedContent {
            let (bytes, start) = (bytes, bytes.readerIndex)
            return ServedContent(name: name, mimeType: mimeType, size: Int64(bytes.readableBytes), checksum: nil) {
                range, piece in
                guard let part = bytes.getSlice(at: start + Int(range.lowerBound), length: range.count) else { return }
                try await piece(part)
            }
        }
    }

    /// What is kept under a name.
    func find(_ name: String) -> Picture? {
        guard let data = FileManager.default.contents(atPath: path(name)),
            let end = data.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return Picture(
            mimeType: String(decoding: data[..<end], as: UTF8.self),
            bytes: ByteBuffer(bytes: data[data.index(after: end)...]))
    }

    func keep(_ picture: Picture, as name: String) {
        var data = Data("\(picture.mimeType)\n".utf8)
        data.append(contentsOf: picture.bytes.readableBytesView)
        // Where it cannot be kept it is shown all the same, and fetched again the next time.
        try? data.write(to: URL(fileURLWithPath: path(name)), options: .atomic)
    }

    func forget(_ name: String) {
        // What is not there need not go.
        try? FileManager.default.removeItem(atPath: path(name))
    }

    /// Lets go of the oldest beyond the room that they may take.
    func keepWithinBounds() throws {
        let entries = try content.entries(in: folder).sorted { $0.changedAt < $1.changedAt }
        var left = entries.reduce(0) { $0 + $1.bytes }
        for entry in entries where left > Self.room {
            forget(entry.name)
            left -= entry.bytes
        }
    }

    func removeAll() throws {
        for entry in try content.entries(in: folder) { forget(entry.name) }
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
}
