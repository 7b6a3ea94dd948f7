import BothyContract
import Foundation
import Testing

/// What spells its own JSON says what `JSONEncoder` says, byte for byte, whatever is in it.
@Suite struct JSONWriterTests {
    private var reference: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }

    private func expectTheSame(_ value: some Codable & Equatable & JSONWritable) throws {
        let expected = String(decoding: try reference.encode(value), as: UTF8.self)
        let written = try WireCoding.encode(value)
        #expect(String(decoding: written, as: UTF8.self) == expected)
        #expect(try WireCoding.encodeStably(value) == written)
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func everyValueIsSpelledAsTheEncoderSpellsIt(_ seed: UInt64) throws {
        var dice = WireDice(seed: seed)
        try expectTheSame(dice.file())
        try expectTheSame(dice.revision())
        try expectTheSame(dice.page())
        try expectTheSame(dice.creation())
        try expectTheSame(dice.upload())
        try expectTheSame(dice.problem())
        try expectTheSame(dice.batch())
        try expectTheSame(dice.batchedContent())
        try expectTheSame(dice.changes())
    }

    @Test func everyAsciiCharacterIsSpelledAsTheEncoderSpellsIt() throws {
        for code in 0..<128 as Range<UInt8> {
            let name = "a\(Character(Unicode.Scalar(code)))b"
            try expectTheSame(CreateFileRequest(requestId: nil, name: name, mimeType: nil, parentId: nil))
        }
    }
}
