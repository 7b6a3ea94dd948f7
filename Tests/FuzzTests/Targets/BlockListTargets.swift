import BothyContract

@testable import BothyServer

extension FuzzTarget {
    /// Lists at 36 bytes an entry: of blocks, as a device keeps them, and of blocks and runs of a base, as a plan is extended by.
    static let blockLists = FuzzTarget("block-lists", words: ["\0\0\0\0", "\0\0\0\u{1}", "\0\u{14}\0\0"]) { input in
        let blocks = BlockReference.list(input)
        let named = NamedBlocks.list(input)
        if let blocks {
            let written = blocks.flatMap { block in
                block.sha256.bytes + (0..<4).map { UInt8(truncatingIfNeeded: block.size >> (24 - 8 * $0)) }
            }
            try require(written == input, "a list of \(blocks.count) blocks is another one when it is written again")
            try require(
                blocks.allSatisfy { UploadLimits.blockSizes.contains($0.size) }, "a block of a size that cannot be")
            try require(named == blocks.map { .block($0) }, "a list of blocks names others")
        }
        if let named { try FuzzTarget.check(named, readFrom: input) }
        let count = named?.reduce(0) { $0 + $1.count }
        let most = UploadLimits.maximumBlocksInRequest
        let isTaken =
            try FuzzTarget.answered { () throws(Problem) in try PlanNames(from: 0, list: input, base: "r") } != nil
        try require(
            isTaken == (count.map { $0 <= most && input.count <= most * BlockReference.listedBytes } ?? false),
            "a list of \(count ?? 0) blocks is \(isTaken ? "taken" : "refused")")
    }

    private static func check(_ named: [NamedBlocks], readFrom input: [UInt8]) throws {
        try require(NamedBlocks.bytes(of: named) == input, "a list is another one when it is written again")
        for entry in named {
            switch entry {
            case .block(let block):
                try require(UploadLimits.blockSizes.contains(block.size), "a block of \(block.size) bytes")
            case .base(let run):
                try require(run.last < UploadLimits.maximumChunks, "a run up to \(run.last)")
            }
        }
    }
}
