import Testing

@testable import BothyServer

@Suite struct MediaFormatTests {
    private static func box(_ brand: String) -> [UInt8] { [0, 0, 0, 0x20] + Array("ftyp\(brand)".utf8) }
    private static func riff(_ kind: String) -> [UInt8] { Array("RIFF".utf8) + [1, 2, 3, 4] + Array(kind.utf8) }

    @Test(
        arguments: [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8),
            riff("WEBPVP8 "), [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], box("heic"), box("mif1"), box("avif"),
        ] as [[UInt8]])
    func picturesAreToldByTheirBytes(_ bytes: [UInt8]) {
        #expect(MediaFormat(beginning: bytes) == .picture)
    }

    @Test(
        arguments: [
            box("isom"), box("qt  "), box("mp42"), riff("AVI LIST"), [0x1A, 0x45, 0xDF, 0xA3], Array("OggS".utf8),
        ] as [[UInt8]])
    func filmsAreToldByTheirBytes(_ bytes: [UInt8]) {
        #expect(MediaFormat(beginning: bytes) == .film)
    }

    @Test func aDocumentIsToldByItsBytes() {
        #expect(MediaFormat(beginning: Array("%PDF-1.7".utf8)) == .document)
    }

    /// What libvips would hand to a library that was not made for strangers' files.
    @Test(arguments: [
        "<svg xmlns=", "<?xml version", "#EXTM3U", "RIFF1234WAVE", "P6 10 10 255 ", "", "BM", "gimp xcf",
    ])
    func nothingElseIsGivenToAProgram(_ text: String) {
        #expect(MediaFormat(beginning: Array(text.utf8)) == nil)
    }

    @Test func aCutBeginningIsNothingThatItIsNot() {
        let whole = Self.box("heic")
        for count in 0..<8 { #expect(MediaFormat(beginning: Array(whole.prefix(count))) == nil) }
    }

    @Test func aMediaTypePromises() {
        #expect(MediaFormat(mimeType: "image/JPEG; charset=x") == .picture)
        #expect(MediaFormat(mimeType: "video/quicktime") == .film)
        #expect(MediaFormat(mimeType: "application/pdf") == .document)
        #expect(MediaFormat(mimeType: "image/svg+xml") == nil && MediaFormat(mimeType: "audio/ogg") == nil)
    }
}
