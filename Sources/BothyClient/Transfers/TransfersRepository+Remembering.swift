import BothyContent

/// What is kept of content that no transfer has brought.
extension TransfersRepository {
    /// Keeps what is needed to send a file as what changed, should it change here: what is known of another with the same content, or
    /// what a look at all of it tells.
    package func remember(_ copy: DriveCopy) async throws {
        guard RevisionSketch.isWorthIt(copy.size, isChange: copy.isChange) else { return }
        var sketch = try await known(copy.source)
        if sketch == nil { sketch = try await looked(at: copy) }
        guard var sketch else { return }
        sketch.revisionId = copy.revisionId
        try await store.keepUnlessKnown(sketch, of: copy.fileId)
    }

    private func known(_ source: DriveCopy.Source?) async throws -> RevisionSketch? {
        guard let source, let sketch = try await store.sketch(of: source.fileId),
            sketch.revisionId == source.revisionId
        else { return nil }
        return sketch
    }

    private func looked(at copy: DriveCopy) async throws -> RevisionSketch? {
        try await DiskQueue("sketch").run { [disk = services.environment.disk] in
            let file = try disk.openForReading(copy.path)
            guard var sketcher = FragmentSketcher(forFileOf: copy.size, isChange: copy.isChange) else { return nil }
            let space = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 64)
            defer { space.deallocate() }
            var offset: Int64 = 0
            while offset < copy.size {
                let count = try file.read(into: space, at: offset)
                guard count > 0 else { return nil }
                sketcher.take(UnsafeRawBufferPointer(rebasing: space[..<count]))
                offset += Int64(count)
            }
            return RevisionSketch(revisionId: copy.revisionId, blocks: [], fragments: sketcher.sketch)
        }
    }

    /// Bytes.
    private static let piece = 256 << 10
}
