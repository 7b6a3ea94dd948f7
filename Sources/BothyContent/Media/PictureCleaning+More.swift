extension PictureCleaning {
    // MARK: - WebP

    private static let webpChunks: [StaticString] = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
    /// Of the first byte of `VP8X`, what says that there is Exif or XMP.
    private static let (exifFlag, xmpFlag) = (0x08, 0x04)

    /// RFC 9649.
    static func webp(_ bytes: MediaBytes) -> CleaningPlan? {
        guard let said = bytes.little(4, 4), said + 8 <= bytes.count else { return nil }
        var (place, orientation) = (12, 1)
        var kept = [Range<Int>]()
        while place + 8 <= said + 8 {
            guard kept.count < 1 << 16, let length = bytes.little(place + 4, 4) else { return nil }
            let end = place + 8 + length + length % 2
            guard end <= bytes.count else { return nil }
            if bytes.has("EXIF", at: place) {
                let start = bytes.has("Exif\0\0", at: place + 8) ? place + 14 : place + 8
                orientation = PictureOrientation.read(bytes, at: start) ?? 1
            }
            if webpChunks.contains(where: { bytes.has($0, at: place) }) { kept.append(place..<end) }
            place = end
        }
        guard !kept.isEmpty else { return nil }
        // Only a file that begins with `VP8X` may say how it is held.
        let isExtended = bytes.has("VP8X", at: kept[0].lowerBound) && kept[0].count == 18
        let exif = orientation == 1 || !isExtended ? [] : webpExif(orientation)
        var plan = CleaningPlan()
        let size = 4 + exif.count + kept.reduce(0) { $0 + $1.count }
        plan.write(Array("RIFF".utf8) + little(size) + Array("WEBP".utf8))
        for range in kept {
            if bytes.has("VP8X", at: range.lowerBound), range.count > 8, let flags = bytes.u8(range.lowerBound + 8) {
                plan.keep(range.lowerBound..<range.lowerBound + 8)
                plan.write([UInt8(flags & ~(exifFlag | xmpFlag) | (exif.isEmpty ? 0 : exifFlag))])
                plan.keep(range.lowerBound + 9..<range.upperBound)
            } else {
                plan.keep(range)
            }
        }
        plan.write(exif)
        return plan
    }

    private static func webpExif(_ orientation: Int) -> [UInt8] {
        let exif = PictureOrientation.exif(orientation)
        return Array("EXIF".utf8) + little(exif.count) + exif
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    // MARK: - GIF

    /// GIF89a: what is drawn, how long it stays, and how often it is shown again.
    static func gif(_ bytes: MediaBytes) -> CleaningPlan? {
        guard let packed = bytes.u8(10), bytes.count >= 13 else { return nil }
        var (plan, place) = (CleaningPlan(), 13 + colours(packed))
        guard place <= bytes.count else { return nil }
        plan.keep(0..<place)
        for _ in 0..<(1 << 20) {
            switch bytes.u8(place) {
            case 0x3B:
                plan.keep(place..<place + 1)
                return plan
            case 0x2C:
                guard let packed = bytes.u8(place + 9), let end = endOfBlocks(bytes, place + 11 + colours(packed))
                else { return nil }
                plan.keep(place..<end)
                place = end
            case 0x21:
                guard let kind = bytes.u8(place + 1), let end = endOfBlocks(bytes, place + 2) else { return nil }
                let isKept =
                    kind == 0xF9
                    || kind == 0xFF
                        && (bytes.has("NETSCAPE2.0", at: place + 3) || bytes.has("ANIMEXTS1.0", at: place + 3)
                            || bytes.has("ICCRGBG1012", at: place + 3))
                if isKept { plan.keep(place..<end) }
                place = end
            default: return nil
            }
        }
        return nil
    }

    /// Bytes of a table of colours, by the byte that tells of it.
    private static func colours(_ packed: Int) -> Int { packed & 0x80 == 0 ? 0 : 3 << (packed & 7 + 1) }

    private static func endOfBlocks(_ bytes: MediaBytes, _ start: Int) -> Int? {
        var place = start
        while let length = bytes.u8(place) {
            place += 1 + length
            if length == 0 { return place <= bytes.count ? place : nil }
        }
        return nil
    }

    // MARK: - HEIF and AVIF

    /// Everything keeps its place: Exif and XMP become zeros, and so does what is no part of the format.
    static func heif(_ bytes: MediaBytes) -> CleaningPlan? {
        guard let boxes = IsoBox.list(bytes, 0..<bytes.count, isLast: true) else { return nil }
        var edits = [(range: Range<Int64>, head: [UInt8])]()
        var hasMeta = false
        for box in boxes {
            switch box.type {
            case IsoBox.type("meta"):
                guard let meta = HeifMeta(bytes, box), let described = described(meta, bytes.count),
                    let beside = beside(bytes, box)
                else { return nil }
                hasMeta = true
                edits += described + beside
            case IsoBox.type("moov"):
                guard let film = FilmCleaning.edits(bytes, moov: box, at: 0) else { return nil }
                edits += film
            case IsoBox.type("ftyp"), IsoBox.type("mdat"): break
            default: edits.append(box.freed)
            }
        }
        guard hasMeta, let last = boxes.last else { return nil }
        // A few bytes behind the last box are nobody's.
        if last.end < bytes.count { edits.append((Int64(last.end)..<Int64(bytes.count), [])) }
        return CleaningPlan(size: Int64(bytes.count), edits: edits)
    }

    /// Texts beside the items: XML, and what somebody has called a picture.
    private static func beside(_ bytes: MediaBytes, _ meta: IsoBox) -> [(range: Range<Int64>, head: [UInt8])]? {
        guard let boxes = IsoBox.list(bytes, meta.content + 4..<max(meta.content + 4, meta.end)) else { return nil }
        var freed = boxes.filter { box in (["xml ", "bxml", "uuid"] as [StaticString]).contains { box.is($0) } }
        for properties in boxes where properties.is("iprp") {
            guard let parts = IsoBox.list(bytes, properties.content..<properties.end) else { return nil }
            for part in parts where part.is("ipco") {
                guard let list = IsoBox.list(bytes, part.content..<part.end) else { return nil }
                // They keep their numbers, by which items name their properties.
                freed += list.filter { property in
                    (["udes", "crtt", "mdft", "uuid"] as [StaticString]).contains { property.is($0) }
                }
            }
        }
        return freed.map(\.freed)
    }

    /// Items that describe, and draw nothing.
    private static func described(_ meta: HeifMeta, _ size: Int) -> [(range: Range<Int64>, head: [UInt8])]? {
        var edits = [(range: Range<Int64>, head: [UInt8])]()
        // A JPEG in a HEIF file has segments of its own.
        guard !meta.items.contains(where: { $0.type == IsoBox.type("jpeg") }) else { return nil }
        for item in meta.items where ["Exif", "mime", "uri "].contains(where: { item.type == IsoBox.type($0) }) {
            guard let place = meta.places[item.id] else { continue }
            let base: Int
            switch place.method {
            case 0: base = 0
            case 1:
                guard let idat = meta.idat else { return nil }
                base = idat.lowerBound
            default: return nil
            }
            for extent in place.extents {
                let start = base + extent.offset
                // One without a length is all that is there.
                guard extent.length > 0, start >= 0, start + extent.length <= size else { return nil }
                edits.append((Int64(start)..<Int64(start + extent.length), []))
            }
        }
        return edits
    }
}
