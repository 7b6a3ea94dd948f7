import BothyClient
import Testing

@Suite struct EventStreamParserTests {
    private static let stream =
        ": listening\n\nid: c1.1.2.3\nevent: changes\ndata: {\"cursor\":\"c1.1.2.3\"}\n\n: still here\n\n"
    private static let pieces: [EventStreamParser.Piece] = [
        .comment, .event(id: "c1.1.2.3", name: "changes"), .comment,
    ]

    private func read(_ text: String, by size: Int) throws -> [EventStreamParser.Piece] {
        var parser = EventStreamParser()
        let bytes = Array(text.utf8)
        return try stride(from: 0, to: bytes.count, by: size).flatMap {
            try parser.take(bytes[$0..<min($0 + size, bytes.count)])
        }
    }

    @Test(arguments: 1...40) func itMattersNotInWhichPiecesItComes(_ size: Int) throws {
        #expect(try read(Self.stream, by: size) == Self.pieces)
    }

    @Test(arguments: ["\r\n", "\r", "\n"]) func eachEndOfLineOfTheStandardIsOne(_ end: String) throws {
        let text = Self.stream.replacing("\n", with: end)
        for size in [1, 2, 7, 1000] { #expect(try read(text, by: size) == Self.pieces) }
    }

    @Test func anEventWithoutDataIsNone() throws {
        #expect(try read("event: changes\nid: 5\n\n", by: 3).isEmpty)
        #expect(try read("data\n\n", by: 3) == [.event(id: nil, name: "message")])
    }

    @Test func anIdHoldsUntilThereIsAnother() throws {
        #expect(
            try read("id:1\ndata:a\n\ndata:b\n\nid\ndata:c\n\n", by: 4)
                == [
                    .event(id: "1", name: "message"), .event(id: "1", name: "message"), .event(id: "", name: "message"),
                ]
        )
    }

    @Test func aLineWithoutAnEndIsNotKept() {
        var parser = EventStreamParser()
        #expect(throws: ClientFailure.self) {
            for _ in 0..<100 { _ = try parser.take(Array(repeating: UInt8(ascii: "x"), count: 1000)) }
        }
    }
}
