/// In what the pictures and the sound of a film are written down, as its sample descriptions say (ISO 14496-12, 8.5.2).
enum IsoCodecs {
    /// Descriptions of one track that are looked at: a film that was joined has some.
    private static let mostEntries = 8

    /// Of a track; empty for one that is neither seen nor heard, or cannot be read.
    static func of(_ bytes: MediaBytes, track: IsoBox) -> [String] {
        guard let mdia = child("mdia", of: track, bytes), let hdlr = child("hdlr", of: mdia, bytes),
            [IsoBox.type("vide"), IsoBox.type("soun")].contains(where: { bytes.big(hdlr.content + 8, 4) == Int($0) }),
            let minf = child("minf", of: mdia, bytes), let stbl = child("stbl", of: minf, bytes),
            let stsd = child("stsd", of: stbl, bytes),
            let entries = IsoBox.list(bytes, stsd.content + 8..<max(stsd.content + 8, stsd.end))
        else { return [] }
        return entries.prefix(mostEntries).map { entry in
            String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: entry.type >> (8 * (3 - $0))) }, as: UTF8.self)
        }
    }

    private static func child(_ name: StaticString, of box: IsoBox, _ bytes: MediaBytes) -> IsoBox? {
        IsoBox.list(bytes, box.content..<box.end)?.first { $0.is(name) }
    }
}
