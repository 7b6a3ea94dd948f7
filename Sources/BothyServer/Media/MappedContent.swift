import BothyContent
import BothyContract
import Foundation
import NIOCore
import NIOPosix

/// Shows a content to a reader that walks through all of it: what is small in memory, the rest as a file that lies on the disk for that moment.
struct MappedContent: Sendable {
    /// Bytes up to which it is looked at in memory.
    private static let mostInMemory: Int64 = 1 << 20

    let folder: MediaFolder
    let reader: ContentReader
    /// Whether the disk has room for what is only convenient.
    let hasRoom: @Sendable (Int64) -> Bool

    /// - Throws: `disk_full`; what reading the content throws; `POSIXError`, `CocoaError`.
    func look<Found: Sendable>(
        at content: StoredContent, _ find: @escaping @Sendable (MediaBytes) -> Found
    ) async throws -> Found {
        if content.size <= Self.mostInMemory {
            let bytes = try await reader.beginning(of: content, most: Int(content.size))
            return try await NIOThreadPool.singleton.runIfActive { bytes.withUnsafeBytes { find(MediaBytes($0)) } }
        }
        guard hasRoom(content.size) else {
            throw Problem(.diskFull, "The server has no space to process this picture. Try again later.")
        }
        let work = try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.beginWork() }
        do {
            let found = try await look(at: content, in: work, find)
            await end(work)
            return found
        } catch {
            await end(work)
            throw error
        }
    }

    private func look<Found: Sendable>(
        at content: StoredContent, in work: String, _ find: @escaping @Sendable (MediaBytes) -> Found
    ) async throws -> Found {
        let path = "\(work)/source"
        try await WorkFile.make(path) { file in
            var place: Int64 = 0
            try await reader.send(try await reader.open(content, range: 0..<content.size)) { piece in
                try await file.write(piece, at: place)
                place += Int64(piece.readableBytes)
            }
        }
        return try await NIOThreadPool.singleton.runIfActive {
            // Nothing else writes it: what is mapped stays as it is.
            try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
                .withUnsafeBytes { find(MediaBytes($0)) }
        }
    }

    private func end(_ work: String) async {
        // A pool that is closed is that of a server that stops; the next one begins by tidying.
        try? await NIOThreadPool.singleton.runIfActive { [folder] in folder.endWork(work) }
    }
}
