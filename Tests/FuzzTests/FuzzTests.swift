import Foundation
import Testing

/// Parsers of what comes from outside, on inputs that were made to break them. `scripts/fuzz` runs this for as long as one likes.
@Suite(.serialized) struct FuzzTests {
    private static let seeds = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Seeds")

    /// A folder of files for each target, kept in the tree.
    private func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
        let folder = Self.seeds.appending(path: target.name).path(percentEncoded: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            Array(try Data(contentsOf: URL(filePath: folder + "/" + name)))
        }
        guard target.seedsAreLines else { return files }
        return files.flatMap { $0.split(separator: UInt8(ascii: "\n")).map(Array.init) }
    }

    /// `scripts/fuzz` may name some of them.
    private static var chosen: [FuzzTarget] {
        guard let names = ProcessInfo.processInfo.environment["BOTHY_TEST_FUZZ_TARGETS"] else { return FuzzTarget.all }
        return FuzzTarget.all.filter { names.split(separator: " ").contains(Substring($0.name)) }
    }

    @Test(arguments: chosen) func noInputBreaksIt(_ target: FuzzTarget) throws {
        let tried = try FuzzRun(ProcessInfo.processInfo.environment).go(target, seeds: try seeds(of: target))
        #expect(tried > 0)
        print("fuzz: \(target.name): \(tried) inputs")
    }

    @Test(arguments: FuzzTarget.all) func itsSeedsAreThereAndHold(_ target: FuzzTarget) throws {
        let seeds = try seeds(of: target)
        #expect(!seeds.isEmpty)
        for seed in seeds { try target.check(seed) }
    }

    /// A fuzzer that finds nothing may be one that looks at nothing.
    @Test func aPlantedFaultIsFound() throws {
        let planted = FuzzTarget("planted", words: ["boundary="]) { input in
            let text = String(decoding: input, as: UTF8.self)
            try require(!(text.contains("boundary=") && text.utf8.count < 20 && text.hasPrefix("m")), "it was found")
        }
        let error = #expect(throws: FuzzFinding.self) {
            try FuzzRun(["BOTHY_TEST_FUZZ_COUNT": "200000"]).go(planted, seeds: [Array("multipart; charset=none".utf8)])
        }
        #expect(error?.description.contains("scripts/fuzz --seed 0 --first") == true)
    }

    @Test func theSameNumberGivesTheSameInput() {
        let mutator = Mutator(seeds: [Array("one seed".utf8), Array("another".utf8)], words: [Array("word".utf8)])
        #expect(mutator.input(7, of: 3) == mutator.input(7, of: 3))
        #expect(Set((0..<100).map { mutator.input($0, of: 3) }).count > 80)
    }
}
