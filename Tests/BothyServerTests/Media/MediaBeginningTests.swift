import Testing

@testable import BothyServer

@Suite struct MediaBeginningTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    private static let words = Array("plain words, and more".utf8)

    @Test(
        arguments: [
            (jpeg, "image/jpeg", false), (jpeg, "image/png", false), (jpeg, "video/mp4", true),
            ([], "image/jpeg", true),
            ([], "image/bmp", true), (words, "image/jpeg", true), (words, "IMAGE/HEIC; a=b", true),
            (words, "video/quicktime", true), (words, "image/bmp", false), (words, "video/mpeg", false),
            (Array("\0\0\0\u{18}ftypqt  ".utf8), "video/quicktime", false),
            (Array("\0\0\0\u{8}wide\0\0\0\0mdat".utf8), "video/quicktime", false),
            ([0x1A, 0x45, 0xDF, 0xA3], "video/webm", false), (Array("RIFF\0\0\0\0AVI ".utf8), "video/x-msvideo", false),
            (Array("\0\0\0\u{18}ftypheic".utf8), "image/heic", false),
        ] as [([UInt8], String, Bool)])
    func whatCertainlyIsNotOfItsTypeIsTold(bytes: [UInt8], mimeType: String, contradicts: Bool) {
        #expect(MediaBeginning.contradicts(mimeType, bytes) == contradicts)
    }
}
