import BothyContract
import Foundation
import Testing

/// What reads its own JSON reads all that its kind writes without an escape, and nothing otherwise than `JSONDecoder` does.
@Suite struct JSONReaderTests {
    private func read<Value: JSONReadable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        bytes.withUnsafeBytes { JSONReader.read(type, from: $0) }
    }

    /// - Parameter isPlain: whether none of its texts needs an escape.
    private func expectItself(_ value: some Codable & Equatable & JSONReadable, isPlain: Bool) throws {
        let written = Array(try WireCoding.encode(value))
        let hasEscapes = written.contains(UInt8(ascii: "\\"))
        #expect(!isPlain || !hasEscapes)
        #expect(read(type(of: value), written) == (hasEscapes ? nil : value))
        #expect(try WireCoding.decode(type(of: value), from: Data(written)) == value)
        for end in stride(from: 0, to: written.count, by: 1 + written.count / 64) {
            #expect(read(type(of: value), Array(written[..<end])) == nil, "what was cut is not read")
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>, [true, false]) func whatItsKindWritesIsRead(
        _ seed: UInt64, isPlain: Bool
    ) throws {
        var dice = WireDice(seed: seed, isPlain: isPlain)
        try expectItself(dice.file(), isPlain: isPlain)
        try expectItself(dice.changes(), isPlain: isPlain)
        try expectItself(UploadBatchResponse(items: dice.batch().items.filter { $0.file != nil }), isPlain: isPlain)
        let outcome = dice.batchedContent()
        if outcome.content != nil { try expectItself(outcome, isPlain: isPlain) }
        var upload = dice.upload()
        upload.plan = nil
        try expectItself(upload, isPlain: isPlain)
    }

    /// What came otherwise than it was written.
    @Test func nothingIsReadOtherwiseThanTheDecoderReadsIt() throws {
        var read = 0
        for seed in 0..<800 as Range<UInt64> {
            var dice = WireDice(seed: seed, isPlain: seed % 4 != 0)
            read += try countWhatIsRead(of: dice.file(), changedBy: &dice)
            read += try countWhatIsRead(of: dice.changes(), changedBy: &dice)
            let files = UploadBatchResponse(items: dice.batch().items.filter { $0.file != nil })
            read += try countWhatIsRead(of: files, changedBy: &dice)
            read += try countWhatIsRead(of: dice.batchedContent(), changedBy: &dice)
            var upload = dice.upload()
            upload.plan = nil
            read += try countWhatIsRead(of: upload, changedBy: &dice)
        }
        #expect(read > 200, "else it says nothing")
    }

    /// - Returns: 1 where what it has become was read.
    private func countWhatIsRead<Value: Codable & Equatable & JSONReadable>(
        of value: Value, changedBy dice: inout WireDice
    ) throws -> Int {
        var bytes = Array(try WireCoding.encode(value))
        if dice.pick([true, false]) {
            // Most bytes are of a text, a number or a name.
            bytes[dice.pick(Array(bytes.indices))] = dice.pick(Array("aF09-".utf8))
        } else {
            let pieces = [
                "", "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "0", "9", "-", ".", "e", "null", "true", "\u{0}",
                "é", "\"a\":1,",
            ]
            for _ in 0..<dice.pick([1, 1, 2, 3]) {
                let at = dice.pick(Array(0...bytes.count))
                let removed = min(dice.pick([0, 0, 1, 2, 20]), bytes.count - at)
                let piece = dice.pick([Array(dice.pick(pieces).utf8), [0xff], [0xc3]])
                bytes.replaceSubrange(at..<at + removed, with: piece)
            }
        }
        guard let value = read(Value.self, bytes) else { return 0 }
        #expect(try JSONDecoder().decode(Value.self, from: Data(bytes)) == value)
        return 1
    }

    @Test(
        arguments: [
            #"{"checksum": null,"name":"a"}"#, #"{"name": "a"}"#, #" {"name":"a"}"#, #"{"name":"a"} "#,
            #"{"name":"a\u0062"}"#,
            #"{"name":"a","name":"b"}"#, #"{"name":"a","parentId":"b","mimeType":"c"}"#, #"{"name":"a","later":1}"#,
            #"{"name":"a","size":1.0}"#, #"{"name":"a","size":1e3}"#, #"{"name":"a","size":01}"#,
            #"{"name":"a","size":-0}"#,
            #"{"name":"a","size":9223372036854775808}"#, #"{"name":"a","executable":tru}"#, #"{"name":1}"#,
            #"{"name":"a}"#,
            #"{"name":"a""#, "{}", "", "[]", #"{"name":"a","plan":{"kind":"open"}}"#, "{\"name\":\"a\tb\"}",
            "\u{feff}{\"name\":\"a\"}", #"{"modifiedAt":"2026-13-01T00:00:00Z","name":"a"}"#,
            #"{"conflict":"none","name":"a"}"#,
        ])
    func whatIsUnusualIsLeftToTheDecoder(_ text: String) {
        #expect(read(UploadRequest.self, Array(text.utf8)) == nil)
        let decoded = try? JSONDecoder().decode(UploadRequest.self, from: Data(text.utf8))
        #expect((try? WireCoding.decode(UploadRequest.self, from: Data(text.utf8))) == decoded)
    }
}
