import BothyContract
import NIOCore
import Testing

@testable import BothyServer

/// Whatever a network or a liar makes of a batch's body: its items, or a problem; never other items.
@Suite struct BatchReaderTests {
    private struct Item: Equatable {
        var metadata: [UInt8]
        /// Nil for one that is too large.
        var content: [UInt8]?
    }

    private func items(_ random: inout SeededGenerator) -> [Item] {
        let tooLarge = UploadLimits.batchContent + 1
        return (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let size = [0, 1, 7, 8, 300, UploadLimits.batchContent, tooLarge].randomElement(using: &random)!
            return Item(
                metadata: (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random)
                },
                content: [UInt8](repeating: .random(in: 0...255, using: &random), count: size))
        }
    }

    private func body(_ items: [Item]) -> [UInt8] {
        items.flatMap { item -> [UInt8] in
            let content = item.content ?? []
            return BatchHead(metadataBytes: item.metadata.count, contentBytes: content.count).bytes
                + item.metadata
                + content
        }
    }

    /// Reads `body` in pieces that `random` cuts.
    private func read(_ body: [UInt8], _ random: inout SeededGenerator) throws -> [Item] {
        var reader = BatchReader()
        var found = [Item]()
        var place = 0
        while place < body.count {
            let end = min(
                body.count,
                place + Int.random(in: 0...([1, 9, 5000, 1 << 20].randomElement(using: &random)!), using: &random))
            var part = ByteBuffer(bytes: body[place..<end])
            place = end
            while let item = try reader.next(from: &part) {
                found.append(
                    Item(
                        metadata: Array(item.metadata.readableBytesView),
                        content: item.content.map { Array($0.readableBytesView) }))
            }
            #expect(part.readableBytes == 0)
        }
        try reader.checkEnd()
        return found
    }

    private func asRead(_ items: [Item]) -> [Item] {
        items.map { item in
            let isTooLarge = (item.content?.count ?? 0) > UploadLimits.batchContent
            return Item(metadata: item.metadata, content: isTooLarge ? nil : item.content)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func itemsAreReadAsTheyWereWrittenWhereverTheBodyIsCut(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let items = items(&random)
        #expect(try read(body(items), &random) == asRead(items))
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func aBodyThatEndsEarlyHasFewerItemsOrIsRefused(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let items = items(&random)
        let whole = body(items)
        let cut = Array(whole.prefix(Int.random(in: 0..<whole.count, using: &random)))
        do {
            let found = try read(cut, &random)
            #expect(found.count < items.count && found == Array(asRead(items).prefix(found.count)))
        } catch {
            #expect((error as? Problem)?.code == .malformedRequest)
        }
    }

    @Test(arguments: 0..<500 as Range<UInt64>) func noBytesCrashTheReader(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = body(items(&random))
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: 0..<min(bytes.count, 60), using: &random)] = .random(in: 0...255, using: &random)
        }
        do {
            for item in try read(bytes, &random) {
                #expect(item.metadata.count <= UploadLimits.batchMetadata)
                #expect((item.content?.count ?? 0) <= UploadLimits.batchContent)
            }
        } catch {
            #expect([.malformedRequest, .tooManyItems].contains((error as? Problem)?.code.known))
        }
    }

    @Test func aLengthThatLiesKeepsNoMemoryAndIsRefused() throws {
        var reader = BatchReader()
        var head = ByteBuffer(bytes: BatchHead(metadataBytes: 0xFFFF_FFFF, contentBytes: 0).bytes)
        #expect(throws: Problem.self) { _ = try reader.next(from: &head) }
        // More content than there can be is passed over as it comes.
        reader = BatchReader()
        head = ByteBuffer(bytes: BatchHead(metadataBytes: 2, contentBytes: 0xFFFF_FFFF).bytes + [1, 2, 3])
        let isWhole = try reader.next(from: &head) != nil
        #expect(!isWhole)
        #expect(throws: Problem.self) { try reader.checkEnd() }
    }

    @Test func oneMoreThanTheMostIsRefused() throws {
        var random = SeededGenerator(seed: 1)
        let item = Item(metadata: [1], content: [])
        let most = Array(repeating: item, count: UploadLimits.batchItems)
        #expect(try read(body(most), &random) == most)
        #expect(throws: Problem.self) { _ = try read(body(most + [item]), &random) }
    }
}
