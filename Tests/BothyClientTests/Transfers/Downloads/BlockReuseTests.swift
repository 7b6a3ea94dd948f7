import BothyContent
import BothyContract
import Testing

@testable import BothyClient

/// What of a file is found in another one, and what is asked for the rest.
@Suite struct BlockReuseTests {
    private let folder: TemporaryFolder
    private let disk = SystemDisk()

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed)
        return random.bytes(count)
    }

    private func blocks(_ content: [UInt8]) -> [[UInt8]] {
        var splitter = BlockSplitter(sizes: BlockParameters.newest.sizes(forFileOf: Int64(content.count)))
        var blocks = [[UInt8]]()
        var rest = content[...]
        while !rest.isEmpty {
            let block = rest.prefix(rest.withUnsafeBytes { splitter.take($0) }.count)
            blocks.append(Array(block))
            rest = rest.dropFirst(block.count)
        }
        return blocks
    }

    private func mark(_ block: [UInt8]) -> BlockMark {
        BlockMark(BlockReference(sha256: SHA256Hasher.hash(block), size: Int64(block.count)))
    }

    private func reuse(_ old: [UInt8], for new: [UInt8]) throws -> BlockReuse {
        var reuse = BlockReuse(blocks(new).map(mark), cutBy: .newest)
        let source = try disk.openForReading(folder.write("old", old))
        let target = try disk.openForWriting(folder.file("new"))
        try target.truncate(to: Int64(new.count))
        try reuse.copy(from: source, into: target)
        let made = try folder.read("new")
        for range in reuse.ranges {
            #expect(
                made[Int(range.lowerBound)..<Int(range.upperBound)]
                    == new[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        return reuse
    }

    @Test func whatIsNearAnEditIsWhatTheEditWasMadeIn() throws {
        let old = bytes(3_000_000)
        var new = old
        new.insert(contentsOf: [1, 2, 3], at: 1_500_000)
        let found = try reuse(old, for: new)
        let gaps = found.gaps(longest: 4 << 20)
        let gap = try #require(gaps.first)
        #expect(gaps.count == 1)
        #expect(gap.range.contains(1_500_000))
        #expect(!gap.near.isEmpty && gap.near.allSatisfy { !found.here[$0].isUsed })
        #expect(gap.near.contains { found.here[$0].start <= 1_500_000 && 1_500_000 <= found.here[$0].end })
        let wish = try #require(PatchWish.wishes(for: found).first)
        #expect(wish.ranges == [gap.range])
        #expect(wish.request.wanted == [gap.blocks])
        #expect(wish.sourceSize < 1 << 20)
    }

    @Test func gapsShareARequestUpToItsBounds() throws {
        let old = bytes(12_000_000)
        var new = old
        for start in stride(from: 50_000, to: 11_900_000, by: 60_000) { new[start] ^= 1 }
        let wishes = PatchWish.wishes(for: try reuse(old, for: new))
        #expect(wishes.count >= 3)
        for wish in wishes {
            #expect(Int64(wish.targetSize) <= UploadLimits.maximumPatchTarget)
            #expect(wish.sourceSize <= UploadLimits.maximumPatchSource)
            #expect(wish.have.count <= UploadLimits.maximumPatchBlocks)
            #expect(zip(wish.wanted, wish.wanted.dropFirst()).allSatisfy { $0.last < $1.first })
            #expect(zip(wish.have, wish.have.dropFirst()).allSatisfy { $0.end <= $1.start })
        }
        let covered = wishes.flatMap(\.ranges).reduce(0) { $0 + $1.count }
        #expect(covered > 10_000_000)
    }

    @Test func whereNothingIsNearNothingIsAsked() throws {
        let found = try reuse([], for: bytes(500_000))
        #expect(found.ranges.isEmpty)
        #expect(PatchWish.wishes(for: found).isEmpty)
    }

    @Test func blocksThatTheDriveLacksAreLeftOut() throws {
        let old = bytes(3_000_000)
        var new = old
        new[1_500_000] ^= 1
        new[2_500_000] ^= 1
        let wish = try #require(PatchWish.wishes(for: try reuse(old, for: new)).first)
        let rest = try #require(wish.without([ChunkRun(first: 0, last: 0)]))
        #expect(rest.have == Array(wish.have.dropFirst()))
        #expect(rest.wanted == wish.wanted)
        #expect(wish.without([]) == nil)
        #expect(wish.without([ChunkRun(first: 0, last: wish.have.count - 1)]) == nil)
    }

    // MARK: - All of a file

    @Test func allOfAFileIsAskedForInOneRequest() throws {
        let basis = BlockReference(sha256: SHA256Hasher.hash([1, 2, 3]), size: 3)
        let wish = try #require(PatchWish.whole(5, outOf: basis))
        #expect(wish.request == PatchRequest(base: basis.sha256))
        #expect(wish.ranges == [0..<5] && wish.targetSize == 5 && wish.sourceSize == 3)
        // Where that is refused, nothing is left to be asked for.
        #expect(wish.without([ChunkRun(first: 0, last: 0)]) == nil)
        let (target, source) = (UploadLimits.maximumWholePatch, UploadLimits.maximumPatchSource)
        for (size, here, isAsked) in [
            (target, source, true), (target + 1, source, false), (target, source + 1, false), (0, source, false),
            (target, 0, false),
        ] {
            let basis = BlockReference(sha256: basis.sha256, size: here)
            #expect((PatchWish.whole(size, outOf: basis) != nil) == isAsked, "\(size) of \(here)")
        }
    }

    /// A change that is worth two requests of its own waits for nobody.
    @Test func whatChangedIsFetchedByItself() {
        func isShared(_ size: Int64?, basis: String?) -> Bool {
            var order = DownloadOrder(fileId: "f", name: "a", destination: "/x/a", size: size)
            order.basis = basis
            return order.isShared
        }
        #expect(isShared(100 << 10, basis: nil) && isShared(60 << 10, basis: "/x/b"))
        #expect(!isShared(64 << 10, basis: "/x/b") && !isShared(129 << 10, basis: nil) && !isShared(nil, basis: nil))
    }
}
