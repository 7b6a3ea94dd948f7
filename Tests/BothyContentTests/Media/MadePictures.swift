@testable import BothyContent

/// Pictures for tests, put together byte by byte.
enum MadePictures {
    static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

    static let secret = Array("51.5007N 0.1246W".utf8)

    /// Exif with an orientation, and with what must not be shown.
    static func exif(_ orientation: Int) -> [UInt8] { PictureOrientation.exif(orientation) + secret }

    // MARK: - JPEG

    static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(bytes.count + 2, 2) + bytes
    }

    static func jpeg(width: Int = 40, height: Int = 30, orientation: Int = 1) -> [UInt8] {
        [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
            + segment(0xE1, Array("Exif\0\0".utf8) + exif(orientation))
            + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret)
            + segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9, 9]) + segment(0xE2, Array("MPF\0".utf8) + secret)
            + segment(0xED, secret) + segment(0xFE, secret) + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0])
            + [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4, 0xFF, 0xD9] + secret
    }

    // MARK: - PNG

    static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        big(bytes.count, 4) + Array(name.utf8) + bytes + big(Int(CRC32.of(Array(name.utf8) + bytes)), 4)
    }

    static func png(width: Int = 40, height: Int = 30, orientation: Int = 1) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
            + chunk("iCCP", [1, 2]) + chunk("eXIf", exif(orientation)) + chunk("tEXt", secret) + chunk("iTXt", secret)
            + chunk("tIME", secret) + chunk("IDAT", [1, 2, 3]) + chunk("zTXt", secret) + chunk("IEND", []) + secret
    }

    // MARK: - WebP

    static func riff(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(bytes.count, 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }

    static func webp(width: Int = 40, height: Int = 30, orientation: Int = 1) -> [UInt8] {
        let chunks =
            riff("VP8X", [0x2C, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)) + riff("ICCP", [1, 2])
            + riff("VP8 ", [1, 2, 3])
            + riff("EXIF", exif(orientation)) + riff("XMP ", secret)
        return Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks + secret
    }

    // MARK: - GIF

    static func gif(width: Int = 40, height: Int = 30) -> [UInt8] {
        func blocks(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count)] + bytes + [0] }
        return Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
            + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0] + [0x21, 0xFE] + blocks(secret)
            + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + blocks(secret) + [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
            + [0x2C, 0, 0, 0, 0] + little(width, 2) + little(height, 2) + [0, 2] + blocks([1, 2, 3]) + [0x3B] + secret
    }

    // MARK: - HEIF

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }
    static func full(_ name: String, _ version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        box(name, [version, 0, 0, 0] + content)
    }

    static func heif(width: Int = 40, height: Int = 30, isTurned: Bool = false, brand: String = "heic") -> [UInt8] {
        func infe(_ id: Int, _ type: String) -> [UInt8] {
            full("infe", 2, big(id, 2) + [0, 0] + Array(type.utf8) + [0])
        }
        func meta(_ start: Int) -> [UInt8] {
            func place(_ id: Int, _ start: Int, _ length: Int) -> [UInt8] {
                big(id, 2) + [0, 0] + big(1, 2) + big(start, 4) + big(length, 4)
            }
            return full(
                "meta", 0,
                full("hdlr", 0, [0, 0, 0, 0] + Array("pict".utf8)) + full("pitm", 0, big(1, 2))
                    + full("iinf", 0, big(3, 2) + infe(1, "hvc1") + infe(2, "Exif") + infe(3, "mime"))
                    + full(
                        "iloc", 0,
                        [0x44, 0] + big(3, 2) + place(1, start, 5) + place(2, start + 5, exif(6).count)
                            + place(3, start + 5 + exif(6).count, secret.count))
                    + box(
                        "iprp",
                        box("ipco", full("ispe", 0, big(width, 4) + big(height, 4)) + box("irot", [isTurned ? 1 : 0]))
                            + full("ipma", 0, big(1, 4) + big(1, 2) + [2, 0x81, 0x82])))
        }
        let head = box("ftyp", Array("\(brand)\0\0\0\0".utf8))
        let start = head.count + meta(0).count + 8
        return head + meta(start) + box("mdat", [9, 8, 7, 6, 5] + exif(6) + secret) + box("mpvd", secret)
            + box("uuid", secret)
    }

    // MARK: - Films

    static func film(handlers: [String] = ["vide", "soun", "meta"]) -> [UInt8] {
        let head = box("ftyp", Array("isom\0\0\0\0".utf8))
        let samples = handlers.map { $0 == "meta" ? secret : Array("picture or sound".utf8) }
        func track(_ index: Int, _ start: Int) -> [UInt8] {
            let codec = handlers[index] == "vide" ? "avc1" : "mp4a"
            let stbl = box(
                "stbl",
                full("stsd", 0, big(1, 4) + box(codec, [0, 0]))
                    + full("stsz", 0, big(0, 4) + big(1, 4) + big(samples[index].count, 4))
                    + full("stsc", 0, big(1, 4) + big(1, 4) + big(1, 4) + big(1, 4))
                    + full("stco", 0, big(1, 4) + big(start, 4)))
            let matrix = [0, 1, 0, -1, 0, 0, 0, 0, 1].flatMap { big($0 << 16, 4) }
            return box(
                "trak",
                full("tkhd", 0, [UInt8](repeating: 0, count: 36) + matrix + big(1920 << 16, 4) + big(1080 << 16, 4))
                    + box("udta", secret)
                    + box("mdia", full("hdlr", 0, [0, 0, 0, 0] + Array(handlers[index].utf8)) + box("minf", stbl)))
        }
        func moov(_ start: Int) -> [UInt8] {
            let starts = samples.indices.map { index in start + samples[..<index].reduce(0) { $0 + $1.count } }
            return box(
                "moov",
                full("mvhd", 0, [UInt8](repeating: 0, count: 8) + big(600, 4) + big(1500, 4))
                    + handlers.indices.flatMap { track($0, starts[$0]) }
                    + box("udta", box("@xyz", secret)) + box("meta", secret))
        }
        let start = head.count + moov(0).count + 8
        return head + moov(start) + box("mdat", samples.flatMap { $0 }) + box("uuid", secret)
    }

    // MARK: - Matroska

    static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] { id + [0x10] + big(content.count, 3) + content }

    /// - Parameter isLive: whether it was recorded as it came, so that nothing of it says how long it is.
    /// - Parameter track: what its one track is: 1 for picture, 2 for sound, 17 for subtitles.
    static func matroska(isLive: Bool = false, track: UInt8 = 1) -> [UInt8] {
        let info = element(
            [0x15, 0x49, 0xA9, 0x66],
            element([0x2A, 0xD7, 0xB1], big(1_000_000, 4)) + element([0x7B, 0xA9], secret)
                + element([0x44, 0x61], big(1, 8)) + element([0x4D, 0x80], secret) + element([0x57, 0x41], secret))
        let tracks = element(
            [0x16, 0x54, 0xAE, 0x6B], element([0xAE], element([0xD7], [1]) + element([0x83], [track])))
        let picture = element([0xA3], Array("picture or sound".utf8))
        let clusterID: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let content = element([0xE7], [0]) + picture
        let clusters = isLive ? clusterID + [0xFF] + content : element(clusterID, content)
        let tags = element([0x12, 0x54, 0xC3, 0x67], secret)
        let attached = element([0x19, 0x41, 0xA4, 0x69], secret + [UInt8](repeating: 7, count: 200))
        let segment = info + element([0xEC], secret) + tracks + tags + clusters + (isLive ? [] : attached)
        let head = element([0x1A, 0x45, 0xDF, 0xA3], Array("webm".utf8))
        let segmentID: [UInt8] = [0x18, 0x53, 0x80, 0x67]
        return head
            + (isLive ? segmentID + [0x01] + [UInt8](repeating: 0xFF, count: 7) + segment : element(segmentID, segment))
    }
}
