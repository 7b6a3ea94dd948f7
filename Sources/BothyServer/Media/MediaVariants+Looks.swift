import BothyContent
import BothyContract
import Foundation
import NIOPosix

/// What is told of pictures and films before they are there.
extension MediaVariants {
    /// How large a revision's content is, how long, and what it looks like from afar; computed beside the request for a picture.
    ///
    /// - Throws: `not_found`; what may be otherwise the next time: `busy`, `shutting_down`, `disk_full`, and what reading the content throws.
    nonisolated func look(at revision: String, of drive: Int64) async throws -> MediaLook {
        let content = try await database.read { try StoredContent.find(revisionId: revision, in: $0, drive: drive) }
        let mapped = MappedContent(folder: folder, reader: reader, hasRoom: hasRoom)
        var look = try await turns.run(isPatient: true) { try await MediaLook.head(of: content, mapped) }
        guard draws(content.mimeType) else { return look }
        do {
            let drawn = try await patientPicture(of: content)
            look.placeholder = try await turns.run(isPatient: true) { try await self.placeholder(of: drawn) }
        } catch let problem as Problem where problem.code == .noPreview {
            // It has none, and none that stands for it.
        }
        return look
    }

    /// Whether a content is certainly no picture or film of its media type.
    ///
    /// - Throws: what reading the content throws.
    nonisolated func contradictsItsType(_ content: StoredContent) async throws -> Bool {
        guard content.size > 0 else { return true }
        let beginning = try await reader.beginning(of: content, most: MediaFormat.sampleBytes)
        return MediaBeginning.contradicts(content.mimeType, beginning)
    }

    private nonisolated func patientPicture(of content: StoredContent) async throws -> [UInt8] {
        let key = MediaKey(drive: content.driveId, checksum: content.checksum, quality: .medium)
        return try await turns.run(isPatient: true) { try await self.drawn(key, of: content) }
    }

    /// - Parameter drawn: a small picture, as WebP.
    /// - Returns: nil where the program makes none of it.
    private nonisolated func placeholder(of drawn: [UInt8]) async throws -> String? {
        let work = try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.beginWork() }
        do {
            let sample = try await sample(of: drawn, in: work)
            await endWork(work)
            return sample.flatMap { ThumbHash.of(width: $0.width, height: $0.height, rgb: $0.rgb) }
                .map { Data($0).base64EncodedString() }
        } catch {
            await endWork(work)
            throw error
        }
    }

    private nonisolated func sample(of drawn: [UInt8], in work: String) async throws -> PortablePixmap? {
        try await NIOThreadPool.singleton.runIfActive {
            try Data(drawn).write(to: URL(fileURLWithPath: "\(work)/drawn.webp"))
        }
        guard let program = programs.sample("drawn.webp", to: "sample.ppm", in: work),
            case .done = try await threads.run(program)
        else { return nil }
        return try await NIOThreadPool.singleton.runIfActive {
            FileManager.default.contents(atPath: "\(work)/sample.ppm")
                .flatMap { $0.count <= Self.mostSample ? PortablePixmap(Array($0)) : nil }
        }
    }

    /// Bytes: of 32 times 32 points, with room for what stands before them.
    private static let mostSample = 16 << 10
}
