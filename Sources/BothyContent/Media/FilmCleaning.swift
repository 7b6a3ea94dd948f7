/// Takes out of a film of ISO 14496-12 or QuickTime what cameras write beside picture and sound: everything keeps its place, and what describes becomes
/// zeros, with the samples of tracks that are neither seen nor heard (where a drone was, second by second).
package enum FilmCleaning {
    /// A box on the highest level, by its place in the file.
    package typealias Edit = (range: Range<Int64>, head: [UInt8])

    private static let mostSamples = 1 << 20

    /// - Parameters:
    ///   - size: bytes of the film.
    ///   - boxes: those on its highest level, in their order.
    ///   - moov: the bytes of that box alone.
    /// - Returns: nil for what cannot be cleaned here.
    package static func plan(size: Int64, boxes: [IsoBox], moov: [UInt8]) -> CleaningPlan? {
        guard let head = boxes.first(where: { $0.is("moov") }), let last = boxes.last else { return nil }
        var edits = [Edit]()
        for box in boxes {
            switch box.type {
            case IsoBox.type("moov"):
                // A second one would have to be read, too.
                guard box == head else { return nil }
            case IsoBox.type("ftyp"), IsoBox.type("styp"), IsoBox.type("mdat"), IsoBox.type("moof"),
                IsoBox.type("sidx"),
                IsoBox.type("mfra"):
                break
            default: edits.append(box.freed)
            }
        }
        let isInParts = boxes.contains { $0.is("moof") }
        let found = moov.withUnsafeBytes { bytes -> [Edit]? in
            let bytes = MediaBytes(bytes)
            guard let box = IsoBox.read(bytes, at: 0, end: bytes.count, isLast: true),
                let edits = self.edits(bytes, moov: box, at: head.start, isInParts: isInParts)
            else { return nil }
            return isInParts ? edits : edits + between(bytes, box, boxes.filter { $0.is("mdat") })
        }
        guard let found, found.count <= mostSamples else { return nil }
        edits += found
        // What makers put behind the last box is no part of the film.
        return CleaningPlan(size: min(size, Int64(last.end)), edits: edits)
    }

    /// What of `moov` goes, and of the samples that it tells of.
    ///
    /// - Parameter offset: where what is read lies in the file.
    static func edits(_ bytes: MediaBytes, moov: IsoBox, at offset: Int, isInParts: Bool = false) -> [Edit]? {
        guard let boxes = IsoBox.list(bytes, moov.content..<moov.end) else { return nil }
        var edits = [Edit]()
        for box in boxes {
            switch box.type {
            case IsoBox.type("mvhd"): edits += times(bytes, box, offset)
            case IsoBox.type("mvex"), IsoBox.type("iods"): break
            case IsoBox.type("trak"):
                guard let track = track(bytes, box, offset, isInParts) else { return nil }
                edits += track
            default: edits.append(moved(box, offset))
            }
        }
        return edits
    }

    private static func moved(_ box: IsoBox, _ offset: Int) -> Edit {
        let (range, head) = box.freed
        return (range.lowerBound + Int64(offset)..<range.upperBound + Int64(offset), head)
    }

    private static func track(_ bytes: MediaBytes, _ box: IsoBox, _ offset: Int, _ isInParts: Bool) -> [Edit]? {
        guard let parts = IsoBox.list(bytes, box.content..<box.end), let media = parts.first(where: { $0.is("mdia") }),
            let inner = IsoBox.list(bytes, media.content..<media.end),
            let handler = inner.first(where: { $0.is("hdlr") })
        else { return nil }
        if isShown(bytes, handler) {
            let kept = ["tkhd", "edts", "tref", "mdia", "load", "tapt", "clip", "matt", "imap"] as [StaticString]
            let heads = parts.filter { $0.is("tkhd") } + inner.filter { $0.is("mdhd") }
            return parts.filter { part in !kept.contains { part.is($0) } }.map { moved($0, offset) }
                + heads.flatMap { times(bytes, $0, offset) } + name(handler, offset)
        }
        guard !isInParts, let samples = samples(bytes, inner) else { return nil }
        return [moved(box, offset)] + samples.map { (Int64($0.lowerBound)..<Int64($0.upperBound), []) }
    }

    /// Timecode is a track of its own: it tells the time of the day.
    private static func isShown(_ bytes: MediaBytes, _ handler: IsoBox) -> Bool {
        (["vide", "soun", "pict"] as [StaticString]).contains { bytes.has($0, at: handler.content + 8) }
    }

    /// When it was made and changed.
    private static func times(_ bytes: MediaBytes, _ box: IsoBox, _ offset: Int) -> [Edit] {
        let length = bytes.u8(box.content) == 1 ? 16 : 8
        guard box.content + 4 + length <= box.end else { return [] }
        let start = Int64(box.content + 4 + offset)
        return [(start..<start + Int64(length), [])]
    }

    /// What a program, or a camera, calls a track.
    private static func name(_ handler: IsoBox, _ offset: Int) -> [Edit] {
        let start = handler.content + 24
        return start < handler.end ? [(Int64(start + offset)..<Int64(handler.end + offset), [])] : []
    }

    // MARK: - Samples

    /// What lies between the samples that are seen or heard: dashcams write there where they are. Nothing where a track does not tell
    /// where its samples lie.
    private static func between(_ bytes: MediaBytes, _ moov: IsoBox, _ data: [IsoBox]) -> [Edit] {
        guard let boxes = IsoBox.list(bytes, moov.content..<moov.end) else { return [] }
        var shown = [Range<Int>]()
        for track in boxes where track.is("trak") {
            guard let parts = IsoBox.list(bytes, track.content..<track.end),
                let media = parts.first(where: { $0.is("mdia") }),
                let inner = IsoBox.list(bytes, media.content..<media.end),
                let handler = inner.first(where: { $0.is("hdlr") })
            else { return [] }
            guard isShown(bytes, handler) else { continue }
            let isSound = bytes.has("soun", at: handler.content + 8)
            guard let samples = samples(bytes, inner, isSound: isSound) else { return [] }
            shown += samples
        }
        guard !shown.isEmpty else { return [] }
        shown.sort { $0.lowerBound < $1.lowerBound }
        var edits = [Edit]()
        var next = shown.startIndex
        for box in data.sorted(by: { $0.start < $1.start }) {
            var place = box.content
            while next < shown.endIndex, shown[next].lowerBound < box.end {
                if shown[next].lowerBound > place { edits.append((Int64(place)..<Int64(shown[next].lowerBound), [])) }
                place = max(place, shown[next].upperBound)
                next += 1
            }
            if place < box.end { edits.append((Int64(place)..<Int64(box.end), [])) }
        }
        return edits
    }

    /// Where the samples of a track lie, by its chunks; of sound at least that.
    private static func samples(_ bytes: MediaBytes, _ media: [IsoBox], isSound: Bool = false) -> [Range<Int>]? {
        guard let minf = media.first(where: { $0.is("minf") }), let inner = IsoBox.list(bytes, minf.content..<minf.end),
            let stbl = inner.first(where: { $0.is("stbl") }), let tables = IsoBox.list(bytes, stbl.content..<stbl.end)
        else { return nil }
        func table(_ name: StaticString) -> IsoBox? { tables.first { $0.is(name) } }
        guard let sizes = table("stsz"), let runs = table("stsc"), let size = bytes.big(sizes.content + 4, 4),
            let count = bytes.big(sizes.content + 8, 4), count <= mostSamples
        else { return nil }
        let each = isSound && size > 0 ? max(size, frame(bytes, table("stsd"))) : size
        let isLong = table("stco") == nil
        guard let chunks = table("stco") ?? table("co64"), let chunkCount = bytes.big(chunks.content + 4, 4),
            chunkCount <= mostSamples,
            let runCount = bytes.big(runs.content + 4, 4), runCount <= mostSamples
        else { return nil }
        // A table that claims more than it holds would be read out of its neighbours, again for each track.
        guard runs.content + 8 + 12 * runCount <= runs.end,
            chunks.content + 8 + (isLong ? 8 : 4) * chunkCount <= chunks.end,
            size > 0 || sizes.content + 12 + 4 * count <= sizes.end
        else { return nil }
        var (ranges, sample, run) = ([Range<Int>](), 0, 0)
        for chunk in 0..<chunkCount {
            while run + 1 < runCount, let next = bytes.big(runs.content + 8 + 12 * (run + 1), 4), next <= chunk + 1 {
                run += 1
            }
            guard let inChunk = bytes.big(runs.content + 12 + 12 * run, 4),
                let start = isLong
                    ? bytes.big64(chunks.content + 8 + 8 * chunk) : bytes.big(chunks.content + 8 + 4 * chunk, 4)
            else { return nil }
            var end = start
            let held = min(inChunk, count - sample)
            if size > 0 {
                end += held * each
            } else {
                for next in sample..<sample + held {
                    guard let length = bytes.big(sizes.content + 12 + 4 * next, 4) else { return nil }
                    end += length
                }
            }
            sample += held
            if end > start { ranges.append(start..<end) }
        }
        // What is not told of could not be blanked.
        return sample == count ? ranges : nil
    }

    /// Bytes of a sample of sound, as its description tells: old QuickTime writes 1 into the table of sizes (QuickTime File Format, Sound
    /// Sample Descriptions).
    private static func frame(_ bytes: MediaBytes, _ descriptions: IsoBox?) -> Int {
        guard let start = descriptions.map({ $0.content + 8 }), let version = bytes.big(start + 16, 2),
            let channels = bytes.big(start + 24, 2), let bits = bytes.big(start + 26, 2)
        else { return 0 }
        let plain = (channels * bits + 7) / 8
        guard version == 1, let samples = bytes.big(start + 36, 4), let length = bytes.big(start + 44, 4), samples > 0
        else { return plain }
        return max(plain, (length + samples - 1) / samples)
    }
}
