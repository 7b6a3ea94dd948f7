import BothyContract
import Foundation
import NIOCore

/// The bytes of the account's files: those that are on this device from here, the others from the server, which are at
/// hand afterwards where they are few.
struct DeviceContent: Sendable {
    /// Bytes of a file that is fetched whole before any of it is shown, so that it is at hand the next time.
    private static let mostAtHand: Int64 = 8 << 20
    /// Bytes that are asked for at once of what is not fetched whole.
    private static let part: Int64 = 4 << 20

    private let replica: ReplicaEngine
    private let remote: ContentRemoteSource
    private let pictures: FilePictures
    private let held: CheckedHeldContent
    private let folders: (any FoldersInStep)?

    /// - Parameter folders: synced on this device.
    init(
        _ replica: ReplicaEngine, remote: ContentRemoteSource, pictures: FilePictures,
        folders: (any FoldersInStep)? = nil, disk: any LocalDisk
    ) {
        self.replica = replica
        self.remote = remote
        self.pictures = pictures
        self.folders = folders
        held = CheckedHeldContent(disk: disk)
    }

    /// - Throws: `notFound`, `notAFile`; `offline` for what is not on this device while there is no connection.
    func served(_ id: ItemID) async throws -> ServedContent {
        let file = try await replica.present(id)
        guard !file.isFolder else { throw ClientFailure(.notAFile, "This is a folder, and only files have content.") }
        if let copy = try await copy(of: file) { return here(file, copy) }
        guard let revision = file.headRevisionId else { return Self.empty(file) }
        return try await served(revision, of: file)
    }

    /// A small picture of a file, or what is as good as one.
    ///
    /// - Parameter quality: nil for the file itself.
    /// - Throws: `notFound`, `notAFile`; `refused` where there is none; `offline`.
    func served(_ id: ItemID, _ quality: MediaQuality?) async throws -> ServedContent {
        guard let quality else { return try await served(id) }
        let file = try await replica.present(id)
        let type = MediaType.told(file.mimeType, named: file.name)
        guard let revision = file.headRevisionId, !PictureTypes.isItsOwnPicture(type, size: file.size) else {
            return try await served(id)
        }
        do {
            return try await pictures.picture(of: revision, file, quality)
        } catch let failure as ClientFailure where failure.isNetworks {
            guard PictureTypes.isShown(type), let copy = try await copy(of: file) else { throw Self.away(file) }
            return here(file, copy)
        }
    }

    /// What a file was, or is.
    ///
    /// - Parameter renewing: whether what is damaged here is fetched again.
    func served(_ revision: String, of file: ReplicaFile, renewing: Bool = true) async throws -> ServedContent {
        do {
            let content = try await remote.lookUp(file.serverId ?? "", revisionId: revision)
            guard content.size <= Self.mostAtHand, revision == file.headRevisionId else {
                return Self.there(content, file, remote)
            }
            let copy = HeldCopy(
                kind: .held(revision: revision), path: try await replica.hold(revision, of: file), size: file.size,
                checksum: file.checksum)
            return here(file, copy, renewing: renewing)
        } catch let failure as ClientFailure where failure.isNetworks {
            throw Self.away(file)
        }
    }

    /// - Throws: `notFound`, `notAFile`, `offline`.
    func beginning(of id: ItemID, most bytes: Int) async throws -> [UInt8] {
        let content = try await served(id)
        return try await Self.beginning(of: content, most: bytes)
    }

    static func beginning(of content: ServedContent, most bytes: Int) async throws -> [UInt8] {
        var beginning = [UInt8]()
        let range = 0..<min(content.size, Int64(bytes))
        guard !range.isEmpty else { return [] }
        try await content.send(range) { beginning += $0.readableBytesView }
        return beginning
    }

    /// Looks, before any of it is handed on, whether all of it can be had: what is here, or the server.
    ///
    /// - Throws: `offline`.
    func requireReach(_ files: [ReplicaFile]) async throws {
        var isAway = false
        for file in files where try await replica.localContent(of: file.luid) == nil {
            guard let revision = file.headRevisionId else { continue }
            do {
                // Where the server answers for one, it is there for all.
                if !isAway {
                    _ = try await remote.lookUp(file.serverId ?? "", revisionId: revision)
                    return
                }
            } catch let failure as ClientFailure where failure.isNetworks {
                isAway = true
            }
            guard try await copy(of: file) != nil else { throw Self.away(file) }
        }
    }

    // MARK: - On this device

    /// What the home holds, or a synced folder.
    private func copy(of file: ReplicaFile) async throws -> HeldCopy? {
        if let copy = try await replica.heldCopy(of: file) { return copy }
        // A folder that cannot be looked at now has nothing that the server has not.
        guard let folders, let id = file.serverId, let revision = file.headRevisionId,
            let path = try? await folders.content(of: id, revision: revision)
        else { return nil }
        return HeldCopy(kind: .inStep, path: path, size: file.size, checksum: file.checksum)
    }

    private static func empty(_ file: ReplicaFile) -> ServedContent {
        ServedContent(name: file.name, mimeType: file.mimeType, size: 0, checksum: nil) { _, _ in }
    }

    private static func away(_ file: ReplicaFile) -> ClientFailure {
        ClientFailure(
            .offline, "There is no connection, and the content of “\(file.name)” is not on this device.",
            remedy: "It opens when there is a connection. Files that you keep offline always open.")
    }

    private func here(_ file: ReplicaFile, _ copy: HeldCopy, renewing: Bool = true) -> ServedContent {
        ServedContent(name: file.name, mimeType: file.mimeType, size: copy.size, checksum: copy.checksum) {
            [self] range, piece in
            do {
                try await held.send(range, of: copy, piece)
            } catch let damage as CheckedHeldContent.Damage {
                try await replica.letGo(ofDamaged: copy)
                guard copy.kind != .waiting, let revision = file.headRevisionId, renewing, !damage.isBegun else {
                    throw copy.damage(of: file.name, isOffline: false)
                }
                try await again(revision, of: file, copy).send(range, piece)
            } catch let failure as ClientFailure
                where copy.kind == .inStep && [.fileMissing, .permissionDenied].contains(failure.code)
            {
                // It went, or was closed, between the look and this: none of it was handed on.
                guard let revision = file.headRevisionId, renewing else { throw failure }
                try await again(revision, of: file, copy).send(range, piece)
            }
        }
    }

    /// In place of what was damaged here.
    private func again(_ revision: String, of file: ReplicaFile, _ copy: HeldCopy) async throws -> ServedContent {
        do {
            return try await served(revision, of: file, renewing: false)
        } catch let failure as ClientFailure where failure.isNetworks {
            throw copy.damage(of: file.name, isOffline: true)
        }
    }

    // MARK: - From the server

    /// Content of a revision, straight from the server.
    private static func there(
        _ content: RemoteContent, _ file: ReplicaFile, _ remote: ContentRemoteSource
    ) -> ServedContent {
        ServedContent(name: file.name, mimeType: file.mimeType, size: content.size, checksum: content.checksum) {
            range, piece in
            guard let url = content.downloadUrl, !range.isEmpty else { return }
            // No more of it is here than one part, however slow the browser is.
            for start in stride(from: range.lowerBound, to: range.upperBound, by: Int(Self.part)) {
                let part = start..<min(start + Self.part, range.upperBound)
                let sink = PartSink(part, of: content.size)
                try await remote.fetch(url, range: part, etag: content.checksum.map { "\"\($0.hex)\"" }, into: sink)
                try await piece(try sink.whole())
            }
        }
    }
}
