/// A WebP file without all that is not its picture: what a camera wrote, profiles, descriptions.
///
/// libvips is asked to leave that out, and not every release of it does. What is shown to others must not hang on that.
/// The format is RFC 9649's: a RIFF list of chunks, each of a name, a length in 32 bits and, where that is odd, a byte more.
enum BareWebP {
    /// The chunks that a picture is made of.
    private static let kept: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"]
    /// Of the first byte of `VP8X`, what says that there is a profile, Exif or XMP.
    private static let described: UInt8 = 0x20 | 0x08 | 0x04
    private static let headBytes = 12

    /// - Returns: nil for what is no such file, or is cut.
    static func of(_ file: [UInt8]) -> [UInt8]? {
        guard file.count >= headBytes, file.starts(with: "RIFF".utf8), file[8...].starts(with: "WEBP".utf8) else {
            return nil
        }
        var (rest, picture) = (file[headBytes...], [UInt8]())
        while !rest.isEmpty {
            guard rest.count >= 8 else { return nil }
            let length = number(rest.dropFirst(4).prefix(4))
            let whole = 8 + length + length % 2
            guard rest.count >= whole else { return nil }
            let name = String(decoding: rest.prefix(4), as: UTF8.self)
            if kept.contains(name) {
                var chunk = Array(rest.prefix(whole))
                if name == "VP8X", length > 0 { chunk[8] &= ~described }
                picture += chunk
            }
            rest = rest.dropFirst(whole)
        }
        guard !picture.isEmpty else { return nil }
        return Array("RIFF".utf8) + bytes(4 + picture.count) + Array("WEBP".utf8) + picture
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
