import BothyContract
import Testing

@testable import BothyContent

@Suite struct PatchTests {
    private static let fragment = 128

    private func content(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Content with a few edits, of every kind that happens to files.
    private func edited(_ content: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var edited = content
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let start = Int.random(in: 0...edited.count, using: &random)
            let end = min(edited.count, start + Int.random(in: 0...600, using: &random))
            let new = self.content(Int.random(in: 0...600, using: &random), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: edited.replaceSubrange(start..<end, with: new)
            case 1: edited.insert(contentsOf: new, at: start)
            case 2: edited.removeSubrange(start..<end)
            default: edited = Array(edited[end...] + edited[..<end])
            }
        }
        return edited
    }

    private func made(_ source: [UInt8], _ target: [UInt8], knowingSource: Bool) -> (body: [UInt8], copied: Int)? {
        source.withUnsafeBytes { source in
            target.withUnsafeBytes { target in
                PatchMaker(FragmentSketch(of: source, fragmentSize: Self.fragment))
                    .patch(making: target, from: knowingSource ? source : nil)
            }
        }
    }

    private func read(_ body: [UInt8], targetSize: Int, sourceSize: Int) throws(PatchFault) -> Patch {
        let read = body.withUnsafeBytes { body in
            Result { () throws(PatchFault) in try Patch(body, targetSize: targetSize, sourceSize: Int64(sourceSize)) }
        }
        return try read.get()
    }

    private func fault(_ body: [UInt8], targetSize: Int, sourceSize: Int) -> PatchFault? {
        do {
            _ = try read(body, targetSize: targetSize, sourceSize: sourceSize)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: 0..<400 as Range<UInt64>) func aPatchMakesTheTargetOutOfItsSource(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var source = content(Int.random(in: 0...8_000, using: &random), using: &random)
        // What repeats itself has fragments that are all alike.
        if seed % 4 == 0 { source += [UInt8](repeating: 7, count: 2_000) + source.prefix(1_000) }
        let target = edited(source, using: &random)
        for knowingSource in [false, true] {
            let (body, copied) = try #require(made(source, target, knowingSource: knowingSource))
            let patch = try read(body, targetSize: target.count, sourceSize: source.count)
            #expect(source.withUnsafeBytes { patch.applied(to: $0) } == target)
            #expect(copied <= target.count)
        }
    }

    @Test func anInsertionCostsAFragmentOrNothingAtAll() throws {
        var random = SeededGenerator(seed: 3)
        let source = content(20_000, using: &random)
        var target = source
        target.insert(contentsOf: [1, 2, 3], at: 9_999)
        let blind = try #require(made(source, target, knowingSource: false))
        #expect(target.count - blind.copied < 3 * Self.fragment)
        let seeing = try #require(made(source, target, knowingSource: true))
        #expect(target.count - seeing.copied <= 3)
        #expect(seeing.body.count < 40)
    }

    @Test func whatHasNothingInCommonIsAllNew() throws {
        var random = SeededGenerator(seed: 4)
        let (source, target) = (content(5_000, using: &random), content(5_000, using: &random))
        for (source, target) in [(source, target), ([], target), (source, [])] {
            let (body, copied) = try #require(made(source, target, knowingSource: true))
            #expect(copied == 0)
            let patch = try read(body, targetSize: target.count, sourceSize: source.count)
            #expect(source.withUnsafeBytes { patch.applied(to: $0) } == target)
        }
    }

    /// Content that begins alike all over is given up before it costs much more than its length.
    @Test func contentFullOfFalseBeginningsIsGivenUp() throws {
        var random = SeededGenerator(seed: 5)
        let head = content(64, using: &random)
        let source = (0..<50).flatMap { _ in head + content(64, using: &random) }
        let target = (0..<5_000).flatMap { _ in head }
        let (body, _) = try #require(made(source, target, knowingSource: false))
        let patch = try read(body, targetSize: target.count, sourceSize: source.count)
        #expect(source.withUnsafeBytes { patch.applied(to: $0) } == target)
    }

    @Test func aSketchIsTheSameWhateverTheReadsSizes() {
        var random = SeededGenerator(seed: 6)
        let content = content(5_000, using: &random)
        var sketcher = FragmentSketcher(fragmentSize: Self.fragment)
        var rest = content[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...400, using: &random))
            Array(piece).withUnsafeBytes { sketcher.take($0) }
            rest = rest.dropFirst(piece.count)
        }
        let whole = content.withUnsafeBytes { FragmentSketch(of: $0, fragmentSize: Self.fragment) }
        #expect(sketcher.sketch == whole)
        #expect(whole.hashes.count == 5_000 / Self.fragment)
    }

    // MARK: - What others send

    /// A body with these steps: a copy is (offset, count).
    private func body(_ write: (inout PatchWriter) -> Void) throws -> [UInt8] {
        var writer = PatchWriter()
        write(&writer)
        return try #require(writer.finish())
    }

    @Test func aCopyOfWhatTheSourceDoesNotHaveIsRefused() throws {
        let body = try body { $0.copy(90..<110) }
        #expect(fault(body, targetSize: 20, sourceSize: 110) == nil)
        #expect(fault(body, targetSize: 20, sourceSize: 109) == .copyOutOfRange)
        #expect(fault(body, targetSize: 20, sourceSize: 0) == .copyOutOfRange)
        let far = try self.body { $0.copy((1 << 62)..<(1 << 62) + 20) }
        #expect(fault(far, targetSize: 20, sourceSize: 110) == .copyOutOfRange)
    }

    @Test func moreOrLessThanTheTargetIsRefused() throws {
        let body = try body { writer in
            writer.copy(0..<10)
            Array(0..<10 as Range<UInt8>).withUnsafeBytes { writer.new($0) }
        }
        #expect(fault(body, targetSize: 20, sourceSize: 10) == nil)
        #expect(fault(body, targetSize: 19, sourceSize: 10) == .wrongLength)
        #expect(fault(body, targetSize: 21, sourceSize: 10) == .wrongLength)
    }

    @Test func whatGrowsPastItsSizeIsRefusedBeforeItTakesMemory() throws {
        let zeros = [UInt8](repeating: 0, count: 30_000_000)
        let bomb = try #require(zeros.withUnsafeBytes { Zstd.compress($0) })
        #expect(fault(bomb, targetSize: 1_000, sourceSize: 10) == .unreadable)
        let copies = try body { writer in for _ in 0..<5_000 { writer.copy(0..<1_000) } }
        #expect(fault(copies, targetSize: 4_000, sourceSize: 1_000) == .wrongLength)
    }

    @Test func moreStepsThanMayBeAreRefused() throws {
        let count = UploadLimits.maximumPatchSteps
        let most = try body { writer in for _ in 0..<count { writer.copy(0..<1) } }
        #expect(fault(most, targetSize: count, sourceSize: 1) == nil)
        let more = try body { writer in for _ in 0...count { writer.copy(0..<1) } }
        #expect(fault(more, targetSize: count + 1, sourceSize: 1) == .tooManySteps)
    }

    @Test func whatEndsInTheMiddleOrNamesNothingIsRefused() throws {
        for payload in [
            [0x14], [0x14, 1, 2], [0x15], [0x15, 0x80], [0], [1, 0], [UInt8](repeating: 0xff, count: 12),
        ] as [[UInt8]] {
            let body = try #require(payload.withUnsafeBytes { Zstd.compress($0) })
            #expect(fault(body, targetSize: 10, sourceSize: 100) != nil, "\(payload)")
        }
        #expect(fault([], targetSize: 10, sourceSize: 100) == .unreadable)
        #expect(fault(Array("no patch at all".utf8), targetSize: 10, sourceSize: 100) == .unreadable)
    }

    /// Whatever comes, it is a patch that makes so many bytes, or it is refused.
    @Test(arguments: 0..<400 as Range<UInt64>) func aPatchThatWasBentIsRefusedOrMakesAsMuch(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let source = content(2_000, using: &random)
        let target = edited(source, using: &random)
        let (whole, _) = try #require(made(source, target, knowingSource: true))
        var payload = try #require(whole.withUnsafeBytes { Zstd.decompress($0, upTo: 100_000) })
        for _ in 0..<Int.random(in: 1...3, using: &random) where !payload.isEmpty {
            payload[Int.random(in: 0..<payload.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let body = try #require(payload.withUnsafeBytes { Zstd.compress($0) })
        do throws(PatchFault) {
            let patch = try read(body, targetSize: target.count, sourceSize: source.count)
            #expect(source.withUnsafeBytes { patch.applied(to: $0) }.count == target.count)
        } catch {
            #expect([.unreadable, .tooManySteps, .copyOutOfRange, .wrongLength].contains(error))
        }
    }
}
