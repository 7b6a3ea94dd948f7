import BothyContract

/// Fetches what is new in blocks that are like others which are here.
struct PatchFetch: Sendable {
    private let revisionId: String
    private let fileId: String
    private let source: ContentRemoteSource
    private let partial: PartialFile
    private let moved: MovedBytes

    init(
        of revisionId: String, of fileId: String, from source: ContentRemoteSource, into partial: PartialFile,
        moved: MovedBytes
    ) {
        self.revisionId = revisionId
        self.fileId = fileId
        self.source = source
        self.partial = partial
        self.moved = moved
    }

    /// One after the other, until one cannot be had: what is missing then is fetched as it is.
    ///
    /// - Returns: what was put into the partial file, in bytes, and how many bytes came for it.
    func fetch(_ wishes: [PatchWish]) async throws -> (ranges: [Range<Int64>], carried: Int64) {
        var ranges = [Range<Int64>]()
        var carried: Int64 = 0
        for wish in wishes {
            do {
                carried += Int64(try await fetch(wish))
                ranges += wish.ranges
            } catch let failure as ClientFailure where failure.code != .diskFull && failure.code != .diskFailed {
                break
            }
        }
        return (ranges, carried)
    }

    private func fetch(_ wish: PatchWish) async throws -> Int {
        do {
            return try await fetchOnce(wish)
        } catch let failure as ClientFailure where failure.problem?.code == .patchInvalid {
            // The drive lacks blocks that are here: it names them.
            guard let rest = wish.without(failure.problem?.missing ?? []) else { throw failure }
            return try await fetchOnce(rest)
        }
    }

    private func fetchOnce(_ wish: PatchWish) async throws -> Int {
        let body = try await source.patch(wish.request, of: revisionId, of: fileId)
        moved.add(body.readableBytes)
        try await partial.apply(body, to: wish)
        return body.readableBytes
    }
}

extension [Range<Int64>] {
    /// Ascending, neighbours as one.
    func merged() -> [Range<Int64>] {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, last.upperBound == range.lowerBound {
                merged[merged.count - 1] = last.lowerBound..<range.upperBound
            } else {
                merged.append(range)
            }
        }
    }
}
