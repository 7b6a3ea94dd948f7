import BothyContract
import Foundation
import Testing

/// What reads its own JSON reads all that its kind writes without an escape, and nothing otherwise than `JSONDecoder` does.
@Suite struct JSONReaderTests {
    private func read<Value: JSONReadable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        bytes.withUnsafeBytes { JSONReader.read(type, from: $0) }
    }

    private func expectItself(_ value: some Codable & Equatable & JSONReadable) throws {
        let written = Array(try WireCoding.encode(value))
        let isPlain = !written.contains(UInt8(ascii: "\\"))
        #expect(read(type(of: value), written) == (isPlain ? value : nil))
        #expect(try WireCoding.decode(type(of: value), from: Data(written)) == value)
        for end in stride(from: 0, to: written.count, by: 1 + written.count / 64) {
            #expect(read(type(of: value), Array(written[..<end])) == nil, "what was cut is not read")
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>, [true, false]) func whatItsKindWritesIsRead(
        _ seed: UInt64, isPlain: Bool
    ) throws {
        var dice = WireDice(seed: seed, isPlain: isPlain)
        try expectItself(dice.file())
        try expectItself(dice.changes())
        try expectItself(UploadBatchResponse(items: dice.batch().items.filter { $0.file != nil }))
        let outcome = dice.batchedContent()
        if outcome.content != nil { try expectItself(outcome) }
        var upload = dice.upload()
        upload.plan = nil
        try expectItself(upload)
    }

    /// What came otherwise than it was written.
    @Test(arguments: 0..<2_000 as Range<UInt64>)
    func nothingIsReadOtherwiseThanTheDecoderReadsIt(_ seed: UInt64) throws {
        var dice = WireDice(seed: seed, isPlain: seed % 4 != 0)
        try expectTheDecodersWord(on: dice.file(), changedBy: &dice)
        try expectTheDecodersWord(on: dice.changes(), changedBy: &dice)
        try expectTheDecodersWord(on: dice.batch(), changedBy: &dice)
        try expectTheDecodersWord(on: dice.batchedContent(), changedBy: &dice)
        try expectTheDecodersWord(on: dice.upload(), changedBy: &dice)
    }

    private func expectTheDecodersWord<Value: Codable & Equatable & JSONReadable>(
        on value: Value, changedBy dice: inout WireDice
    ) throws {
        var bytes = Array(try WireCoding.encode(value))
        let pieces = [
            "", "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "0", "9", "-", ".", "e", "null", "true", "\u{0}",
            "\u{e9}",
            "\"a\":1,",
        ]
        for _ in 0..<dice.pick([1, 1, 2, 3]) {
            let at = dice.pick(Array(0...bytes.count))
            let removed = min(dice.pick([0, 0, 1, 2, 20]), bytes.count - at)
            bytes.replaceSubrange(
                at..<at + removed, with: dice.pick([dice.pick(pieces).utf8.map { $0 }, [0xff], [0xc3]]))
        }
        guard let value = read(Value.self, bytes) else { return }
        #expect(try JSONDecoder().decode(Value.self, from: Data(bytes)) == value)
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
