import BothyContent

/// What a film says of itself, and how it is shown without what cameras write: read here and there, and never as a whole.
struct FilmReading: Sendable {
    /// Boxes on the highest level: a film that was sent in parts of two seconds has as many in an hour.
    private static let mostBoxes = 4096
    /// Bytes of `moov`, which is held in memory; that of a film of ten hours has some 30 MB.
    private static let mostHead = 64 << 20

    let reader: ContentReader
    let content: StoredContent

    /// - Returns: nil for what is no film that can be cleaned here.
    func cleaning() async throws -> CleaningPlan? {
        let beginning = try await bytes(at: 0, MediaFormat.sampleBytes)
        if Self.isMatroska(beginning) { return try await matroska() }
        guard Self.isISO(beginning), let boxes = try await boxes(), let moov = try await moov(of: boxes) else {
            return nil
        }
        return FilmCleaning.plan(size: content.size, boxes: boxes, moov: moov)
    }

    /// How large and how long it is, as far as it says so.
    func head() async throws -> FilmHead? {
        let beginning = try await bytes(at: 0, MediaFormat.sampleBytes)
        if Self.isMatroska(beginning) {
            return FilmHead.matroska(beginning: try await bytes(at: 0, 512 << 10))
        }
        guard Self.isISO(beginning), let boxes = try await boxes(), let moov = try await moov(of: boxes) else {
            return nil
        }
        return FilmHead.iso(moov: moov)
    }

    /// Whether it is a film of which something is known here.
    ///
    /// - Parameter beginning: ``MediaFormat/sampleBytes`` of it.
    static func isKnown(_ beginning: [UInt8]) -> Bool { isMatroska(beginning) || isISO(beginning) }

    private static func isMatroska(_ beginning: [UInt8]) -> Bool { beginning.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) }

    /// ISO 14496-12, and QuickTime, whose older files do not begin with `ftyp`.
    private static func isISO(_ beginning: [UInt8]) -> Bool {
        guard beginning.count >= 8 else { return false }
        let type = String(decoding: beginning[4..<8], as: UTF8.self)
        return ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains(type)
    }

    // MARK: - ISO 14496-12

    /// Those on the highest level; nil where there are too many. What follows the last one is no part of the film.
    private func boxes() async throws -> [IsoBox]? {
        var (boxes, place) = ([IsoBox](), 0)
        while place < Int(content.size) {
            guard boxes.count < Self.mostBoxes else { return nil }
            let head = try await bytes(at: Int64(place), IsoBox.headBytes)
            guard let box = IsoBox.top(head, at: place, of: Int(content.size)) else { break }
            boxes.append(box)
            place = box.end
        }
        return boxes
    }

    private func moov(of boxes: [IsoBox]) async throws -> [UInt8]? {
        guard let box = boxes.first(where: { $0.is("moov") }), box.end - box.start <= Self.mostHead else { return nil }
        return try await bytes(at: Int64(box.start), box.end - box.start)
    }

    // MARK: - Matroska

    private func matroska() async throws -> CleaningPlan? {
        var walk = MatroskaCleaning(size: content.size)
        while let place = walk.place { walk.see(try await bytes(at: place, MatroskaCleaning.window)) }
        return walk.plan
    }

    /// So many bytes, or as many as are left.
    private func bytes(at place: Int64, _ count: Int) async throws -> [UInt8] {
        let end = min(content.size, place + Int64(count))
        var bytes = [UInt8]()
        guard place < end else { return bytes }
        try await reader.send(try await reader.open(content, range: place..<end)) { bytes += $0.readableBytesView }
        return bytes
    }
}
