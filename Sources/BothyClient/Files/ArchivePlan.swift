import BothyContent
import BothyContract
import NIOCore
import Synchronization

/// What an archive will hold, as it is found: names that every system can unpack, and a bound on how much there is.
package struct ArchivePlan<Source: Sendable>: Sendable {
    /// Files and folders of one archive: the list of them is in memory while it goes out.
    private static var mostEntries: Int { 100_000 }
    /// Bytes of their paths, for the same reason.
    private static var mostPathBytes: Int { 32 << 20 }

    /// A folder that is still to be looked into.
    package struct Folder: Sendable {
        package var source: Source
        package var path: String
    }

    private struct Item: Sendable {
        var entry: ZipWriter.Entry
        /// Nil for a folder, and for a file without content.
        var source: Source?
    }

    private var items = [Item]()
    private var folders = [Folder]()
    private var names = ZipNames()
    private var pathBytes = 0

    package init() {}

    /// The root has no name: what lies in it is packed by itself.
    package mutating func addRoot(_ source: Source) { folders.append(Folder(source: source, path: "")) }

    /// - Parameters:
    ///   - size: bytes of its content; 0 for a folder, and for a file without content.
    ///   - folder: the path of the folder that it is in; empty at the top.
    /// - Throws: `refused` for more than fits.
    package mutating func add(
        _ name: String, isFolder: Bool, size: Int64, modifiedAt: Timestamp, from source: Source, in folder: String
    ) throws(ClientFailure) {
        let path = names.path(of: name, in: folder, isFolder: isFolder)
        pathBytes += path.utf8.count
        guard items.count < Self.mostEntries, pathBytes <= Self.mostPathBytes,
            path.utf8.count <= ZipWriter.mostPathBytes
        else {
            throw ClientFailure(
                .refused,
                "This is too much for one download: at most \(Self.mostEntries) files and folders, and paths of at most \(ZipWriter.mostPathBytes) bytes. Download folders of it one by one."
            )
        }
        if isFolder { folders.append(Folder(source: source, path: path)) }
        items.append(
            Item(
                entry: ZipWriter.Entry(path: path, size: isFolder ? 0 : size, modifiedAt: modifiedAt),
                source: isFolder || size == 0 ? nil : source))
    }

    /// What the files' bytes come from.
    package var sources: [Source] { items.compactMap(\.source) }

    /// The next folder to look into; nil once everything was.
    package mutating func nextFolder() -> Folder? { folders.popLast() }

    /// - Parameters:
    ///   - name: what the archive is called, without `.zip`.
    ///   - content: hands on all the bytes of a file.
    package func archive(
        named name: String,
        content: @escaping @Sendable (Source, (ByteBuffer) async throws -> Void) async throws -> Void
    ) -> FileArchive {
        let items = items
        return FileArchive(
            disposition: ContentDisposition.header(name: name + ".zip", mimeType: "application/zip"),
            size: ZipWriter.length(of: items.map(\.entry))
        ) { piece in
            var writer = ZipWriter()
            for item in items {
                try await piece(ByteBuffer(bytes: writer.begin(item.entry)))
                if let source = item.source {
                    try await content(source) { bytes in
                        bytes.withUnsafeReadableBytes { writer.add($0) }
                        try await piece(bytes)
                    }
                }
                try await piece(ByteBuffer(bytes: writer.end()))
            }
            try await piece(ByteBuffer(bytes: writer.finish()))
        }
    }
}

/// How many archives go out at once: each holds a reader of the disk for as long as its browser takes.
package final class ArchiveSeats: Sendable {
    /// For one account.
    private static let most = 2

    /// One archive under way; it is free again when nothing holds on to it.
    package final class Seat: Sendable {
        private let leave: @Sendable () -> Void

        fileprivate init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    private let taken = Mutex<[Int64: Int]>([:])

    package init() {}

    /// - Throws: `serverBusy` while as many are taken as there are.
    package func take(_ userId: Int64) throws(ClientFailure) -> Seat {
        let isFree = taken.withLock { taken in
            guard taken[userId, default: 0] < Self.most else { return false }
            taken[userId, default: 0] += 1
            return true
        }
        guard isFree else {
            throw ClientFailure(
                .serverBusy, "Two folder downloads are already running.",
                remedy: "Wait until one of them has finished.")
        }
        return Seat { [self] in
            taken.withLock { taken in
                taken[userId, default: 1] -= 1
                if taken[userId] == 0 { taken[userId] = nil }
            }
        }
    }
}

extension FileArchive {
    /// It holds on to a seat until it was sent, or given up.
    package func seated(_ seat: ArchiveSeats.Seat) -> FileArchive {
        FileArchive(disposition: disposition, size: size) { [send] piece in
            try await send(piece)
            withExtendedLifetime(seat) {}
        }
    }
}
