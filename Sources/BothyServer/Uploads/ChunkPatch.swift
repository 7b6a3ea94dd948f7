import BothyContent
import BothyContract
import NIOCore

/// A body that is not what it stands for, but makes that out of a revision of the same drive.
package struct ChunkPatch: Sendable {
    package let body: ByteBuffer
    /// The revision that it copies from; nil where it copies nothing.
    package let base: String?

    package init(body: ByteBuffer, base: String?) {
        self.body = body
        self.base = base
    }
}

extension UploadSessions {
    /// Takes the chunks that a patch makes as if their bytes had come: they count for nothing unless they have the hashes that the plan names.
    ///
    /// - Throws: `patch_invalid`, and what ``receive(_:of:from:for:)`` throws.
    package func receive(
        _ arrival: ChunkArrival, madeBy patch: ChunkPatch, of uploadId: String, for caller: Caller
    ) async throws -> UploadReply {
        guard case .range(let range) = arrival.placement, range.first >= 0, range.last >= range.first,
            range.length <= UploadLimits.maximumPatchTarget
        else {
            throw Problem(
                .patchInvalid, "One patch makes at most \(UploadLimits.maximumPatchTarget) bytes of one range."
            )
            .with { $0.limit = UploadLimits.maximumPatchTarget }
        }
        let lived = stamps.stamp(for: caller).lived
        let session = try await database.read {
            try UploadTable($0, drive: caller.driveId).session(uploadId, lived: lived)
        }
        guard session.plan.kind != .fixed || arrival.digest != nil else {
            throw Problem(.patchInvalid, "What a patch makes is checked: it needs a plan that names blocks, or a hash.")
        }
        let made = try await patching.run { try await make(Int(range.length), of: patch, for: caller) }
        // The length that was told is the patch's; a digest is of what it makes, as the plan's names are.
        let arrival = ChunkArrival(placement: arrival.placement, digest: arrival.digest, length: range.length)
        return try await receive(arrival, of: uploadId, from: OneBuffer(made), for: caller)
    }

    private func make(_ count: Int, of patch: ChunkPatch, for caller: Caller) async throws -> ByteBuffer {
        let base = try await database.read { db in
            try patch.base.map { id in
                guard try RevisionTable(db, drive: caller.driveId).find(id) != nil else { throw Self.noBase }
                return try StoredContent.find(revisionId: id, in: db, drive: caller.driveId)
            }
        }
        let read: Patch
        do throws(PatchFault) {
            read = try patch.body.withUnsafeReadableBytes { body throws(PatchFault) in
                try Patch(body, targetSize: count, sourceSize: base?.size ?? 0)
            }
        } catch {
            throw Problem(.patchInvalid, "\(error.words) Send the bytes themselves.")
        }
        let copies = read.steps.compactMap { if case .copy(let range) = $0 { range } else { nil } }
        var copied = try await copy(copies, from: base)[...]
        var made = ByteBuffer()
        made.reserveCapacity(count)
        for step in read.steps {
            switch step {
            case .new(let range): made.writeBytes(read.payload[range])
            case .copy: if var part = copied.popFirst() { made.writeBuffer(&part) }
            }
        }
        return made
    }

    private func copy(_ ranges: [Range<Int64>], from base: StoredContent?) async throws -> [ByteBuffer] {
        guard !ranges.isEmpty else { return [] }
        guard let base else { throw Self.noBase }
        let parts: [ByteBuffer]?
        do {
            parts = try await PatchSource(base, database: database, packs: packs).read(ranges)
        } catch let problem as Problem where problem.code == .notFound {
            throw Self.noBase
        }
        guard let parts else {
            throw Problem(
                .patchInvalid,
                "The patch copies from blocks of more than \(UploadLimits.maximumPatchReach) bytes together. Send the bytes themselves."
            )
            .with { $0.limit = Int64(UploadLimits.maximumPatchReach) }
        }
        return parts
    }

    private static var noBase: Problem {
        Problem(.patchInvalid, "The revision that the patch copies from does not exist. Send the bytes themselves.")
    }
}
