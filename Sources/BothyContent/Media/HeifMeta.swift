/// The `meta` box of a HEIF or AVIF file (ISO 23008-12): which items it has, where each lies, and how large pictures are.
struct HeifMeta {
    struct Item {
        var id: Int
        var type: UInt32
    }

    struct Place {
        /// 0: in the file, 1: in `idat`, 2: in another item.
        var method: Int
        var extents: [(offset: Int, length: Int)]
    }

    var primary: Int?
    var items = [Item]()
    var places = [Int: Place]()
    /// What `idat` holds.
    var idat: Range<Int>?
    /// `ispe` and `irot` of the properties, by their index from 1 on.
    private var sizes = [Int: (width: Int, height: Int)]()
    private var turns = [Int: Int]()
    private var propertiesOf = [Int: [Int]]()

    /// Of a file: items, and parts of all of them together.
    private static let mostItems = 4096
    private var hasPlaces = false

    /// Nil where it is none, or is cut.
    init?(_ bytes: MediaBytes, _ box: IsoBox) {
        guard let boxes = IsoBox.list(bytes, box.content + 4..<max(box.content + 4, box.end)) else { return nil }
        for box in boxes {
            switch box.type {
            case IsoBox.type("pitm"):
                primary = bytes.big(box.content + 4, bytes.u8(box.content) == 0 ? 2 : 4)
            case IsoBox.type("iinf"): guard readItems(bytes, box) else { return nil }
            case IsoBox.type("iloc"): guard readPlaces(bytes, box) else { return nil }
            case IsoBox.type("iprp"): guard readProperties(bytes, box) else { return nil }
            case IsoBox.type("idat"): idat = box.content..<box.end
            default: break
            }
        }
    }

    /// Points of the picture that is shown, as it is stored, and whether it is then turned by a quarter.
    var shown: (width: Int, height: Int, isTurned: Bool)? {
        let properties = primary.flatMap { propertiesOf[$0] } ?? []
        guard let size = properties.lazy.compactMap({ sizes[$0] }).first ?? largest else { return nil }
        return (size.width, size.height, properties.contains { (turns[$0] ?? 0) % 2 == 1 })
    }

    var largest: (width: Int, height: Int)? { sizes.values.max { $0.width * $0.height < $1.width * $1.height } }

    private mutating func readItems(_ bytes: MediaBytes, _ box: IsoBox) -> Bool {
        let start = box.content + (bytes.u8(box.content) == 0 ? 6 : 8)
        guard start <= box.end, let entries = IsoBox.list(bytes, start..<box.end), entries.count <= Self.mostItems
        else { return false }
        for entry in entries where entry.is("infe") {
            guard let version = bytes.u8(entry.content) else { return false }
            // What is older names no types.
            guard version >= 2 else { return false }
            let width = version == 2 ? 2 : 4
            guard let id = bytes.big(entry.content + 4, width), let type = bytes.big(entry.content + 6 + width, 4)
            else { return false }
            items.append(Item(id: id, type: UInt32(type)))
        }
        return true
    }

    private mutating func readPlaces(_ bytes: MediaBytes, _ box: IsoBox) -> Bool {
        // A second one would be read for nothing: there is one.
        guard !hasPlaces, let version = bytes.u8(box.content), version <= 2,
            let sizes = bytes.big(box.content + 4, 2)
        else { return false }
        hasPlaces = true
        var left = Self.mostItems
        let (offset, length, base) = (sizes >> 12 & 15, sizes >> 8 & 15, sizes >> 4 & 15)
        let index = version == 0 ? 0 : sizes & 15
        let idWidth = version < 2 ? 2 : 4
        var place = box.content + 6
        func number(_ width: Int) -> Int? {
            defer { place += width }
            switch width {
            case 0: return 0
            case 8: return bytes.big64(place)
            case 2, 4: return bytes.big(place, width)
            default: return nil
            }
        }
        guard let count = number(idWidth), count <= Self.mostItems else { return false }
        for _ in 0..<count {
            guard let id = number(idWidth), let method = version == 0 ? 0 : number(2), number(2) != nil,
                let start = number(base),
                let extents = number(2), extents <= left
            else { return false }
            // Where offsets and lengths take no bytes, only their number bounds them.
            left -= extents
            var found = Place(method: method & 15, extents: [])
            for _ in 0..<extents {
                guard number(index) != nil, let from = number(offset), let length = number(length), place <= box.end
                else { return false }
                found.extents.append((start + from, length))
            }
            places[id] = found
        }
        return true
    }

    private mutating func readProperties(_ bytes: MediaBytes, _ box: IsoBox) -> Bool {
        guard let parts = IsoBox.list(bytes, box.content..<box.end) else { return false }
        for part in parts {
            if part.is("ipco") {
                guard let properties = IsoBox.list(bytes, part.content..<part.end) else { return false }
                for (index, property) in properties.enumerated() {
                    if property.is("ispe"), let width = bytes.big(property.content + 4, 4),
                        let height = bytes.big(property.content + 8, 4)
                    {
                        // What is beyond any side is beyond any bound, too.
                        sizes[index + 1] = (min(width, PictureHead.mostSide * 2), min(height, PictureHead.mostSide * 2))
                    } else if property.is("irot") {
                        turns[index + 1] = bytes.u8(property.content).map { $0 & 3 }
                    }
                }
            } else if part.is("ipma"), !readAssociations(bytes, part) {
                return false
            }
        }
        return true
    }

    private mutating func readAssociations(_ bytes: MediaBytes, _ box: IsoBox) -> Bool {
        guard let version = bytes.u8(box.content), let flags = bytes.u8(box.content + 3),
            let count = bytes.big(box.content + 4, 4),
            count <= Self.mostItems
        else { return false }
        let (idWidth, width) = (version < 1 ? 2 : 4, flags & 1 == 1 ? 2 : 1)
        var place = box.content + 8
        for _ in 0..<count {
            guard let id = bytes.big(place, idWidth), let associations = bytes.u8(place + idWidth) else { return false }
            place += idWidth + 1
            for _ in 0..<associations {
                guard let association = bytes.big(place, width), place < box.end else { return false }
                // The highest bit says that it matters.
                propertiesOf[id, default: []].append(association & (width == 2 ? 0x7FFF : 0x7F))
                place += width
            }
        }
        return true
    }
}

extension PictureHead {
    /// The first `meta` box on the highest level tells it; what lies behind it need not be there.
    static func heif(_ bytes: MediaBytes) -> PictureHead? {
        var place = 0
        for _ in 0..<64 {
            guard let box = IsoBox.read(bytes, at: place, end: bytes.count, isLast: true) else { return nil }
            if box.is("meta") {
                guard let meta = HeifMeta(bytes, box), let shown = meta.shown, let largest = meta.largest else {
                    return nil
                }
                return PictureHead(
                    width: shown.width, height: shown.height, orientation: shown.isTurned ? 6 : 1,
                    points: largest.width * largest.height)
            }
            place = box.end
        }
        return nil
    }
}
