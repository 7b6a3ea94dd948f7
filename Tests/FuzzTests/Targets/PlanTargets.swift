import BothyContract
import Foundation

@testable import BothyServer

extension FuzzTarget {
    /// The request that begins an upload, with its plan, and requests that extend it. The first line is the start's; each of the others
    /// is a request to extend as it goes over the wire, or, where it does not begin with a brace, four bytes for each: ``TriedExtension``.
    static let plans = FuzzTarget(
        "plans",
        words: [
            "\"plan\":", "\"blocks\":[", "\"size\":", "\"kind\":\"open\"", "\"chunkSize\":", "null", "1e99", "-1", "\n",
            "\n{\"from\":0,\"blocks\":[]}", "9223372036854775807", "\n\u{8}\u{2}\u{0}\u{0}", "\n\u{4}\u{6}\u{0}\u{0}",
        ]
    ) { input in
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let request = try? WireCoding.decode(UploadRequest.self, from: Data(lines.first ?? [])),
            var plan = try FuzzTarget.answered({ () throws(Problem) in try TriedPlan(request) })
        else { return }
        for line in lines.dropFirst() {
            if line.first == UInt8(ascii: "{") {
                guard let asked = try? WireCoding.decode(ExtendPlanRequest.self, from: Data(line)) else { continue }
                try plan.extend(asked)
            } else {
                for start in stride(from: line.startIndex, to: line.endIndex, by: 4) {
                    try plan.extend(TriedExtension(line[start...].prefix(4)).request(to: plan.blocks))
                }
            }
        }
    }

    /// - Returns: nil where it is refused.
    /// - Throws: ``FuzzFinding`` where it is refused as the server's own fault.
    static func answered<Value>(_ body: () throws(Problem) -> Value) throws -> Value? {
        do throws(Problem) {
            return try body()
        } catch {
            try require(error.status < 500, error.detail)
            return nil
        }
    }
}

/// A session with all the blocks that its plan has: what lies in the server's database.
private struct TriedPlan {
    private var session: UploadSession
    private(set) var blocks: [BlockReference]

    private static let now = Timestamp(seconds: 1_000_000)

    init(_ request: UploadRequest) throws(Problem) {
        let plan = try UploadPlan(starting: request)
        session = UploadSession(
            uploadId: "u", deviceId: "d", plan: plan, request: request, now: Self.now, lived: 0)
        blocks = plan.kind == .fixed ? [] : request.plan?.blocks ?? []
    }

    mutating func extend(_ asked: ExtendPlanRequest) throws {
        try checkSums()
        guard try FuzzTarget.answered({ () throws(Problem) in try PlanNames(asked) }) != nil else { return }
        try require(asked.from >= 0, "a plan goes on at \(asked.from)")
        try require(
            !asked.from.addingReportingOverflow(asked.blocks.count).overflow, "a place past all numbers is looked up")
        let known = blocks.dropFirst(asked.from).prefix(asked.blocks.count)
        let (before, isOpen) = (session, session.plan.kind == .open)
        let new = try FuzzTarget.answered { () throws(Problem) in
            try session.extend(
                from: asked.from, with: asked.blocks, known: Self.chunks(known, from: asked.from), now: Self.now,
                lived: 0)
        }
        guard let new else {
            return try require(session == before, "a plan is another one after what was refused")
        }
        try require(isOpen, "a plan that was whole is extended")
        try require(asked.from <= blocks.count, "a plan has a hole")
        try require(zip(known, asked.blocks).allSatisfy(==), "a block is another one than before")
        let overlap = min(asked.blocks.count, blocks.count - asked.from)
        try require(
            Array(new) == Array(asked.blocks.dropFirst(overlap)), "other blocks are new than those behind the end")
        blocks += new
        try checkSums()
    }

    private func checkSums() throws {
        let (plan, bytes) = (session.plan, blocks.reduce(0) { $0 + $1.size })
        try require((0...UploadLimits.maximumChunks).contains(plan.totalChunks), "\(plan.totalChunks) chunks")
        try require((0...UploadLimits.maximumFileSize).contains(plan.plannedBytes), "\(plan.plannedBytes) bytes")
        try require(plan.plannedBytes <= plan.size ?? .max, "\(plan.plannedBytes) bytes of a file of \(plan.size ?? 0)")
        if plan.isWhole { try require(plan.plannedBytes == plan.size, "a plan that is whole lacks bytes") }
        guard plan.kind != .fixed else { return }
        try require(
            plan.totalChunks == blocks.count && plan.plannedBytes == bytes, "a plan counts other blocks than it has")
        try require(
            blocks.allSatisfy { UploadLimits.blockSizes.contains($0.size) }, "a block of a size that cannot be")
    }

    private static func chunks(_ blocks: ArraySlice<BlockReference>, from position: Int) -> [PlannedChunk] {
        blocks.enumerated().map { index, block in
            PlannedChunk(position: position + index, start: 0, size: block.size, hash: block.sha256)
        }
    }
}

/// An extension in four bytes: where it begins, from eight blocks before the plan's end on; how many blocks it names; and for the third
/// of them, whether it is as the plan has it, another, or of a size that cannot be.
private struct TriedExtension {
    private let place: UInt8
    private let count: Int
    private let odd: UInt8
    private let size: Int

    private static let sizes: [Int64] = [1, 65_536, 16 << 20, 16 << 20 + 1, 0, -1, .max, .min]

    init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes) + [0, 0, 0, 0]
        (place, count, odd, size) = (bytes[0], Int(bytes[1] % 16), bytes[2], Int(bytes[3]))
    }

    func request(to blocks: [BlockReference]) -> ExtendPlanRequest {
        let from =
            switch place {
            case 255: Int.max
            case 254: Int.min
            case 253: UploadLimits.maximumChunks
            default: blocks.count - 8 + Int(place % 24)
            }
        let named = (0..<count).map { index in
            let (position, overflows) = from.addingReportingOverflow(index)
            var block = blocks.indices.contains(position) && !overflows ? blocks[position] : Self.block(position & 0xff)
            guard index == Int(odd % 16) else { return block }
            if odd & 0x10 != 0 { block = Self.block(0x100 + Int(odd)) }
            if odd & 0x20 != 0 { block.size = Self.sizes[size % Self.sizes.count] }
            return block
        }
        return ExtendPlanRequest(from: from, blocks: named)
    }

    private static func block(_ number: Int) -> BlockReference {
        let name = (0..<ContentHash.byteCount).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) }
        guard let hash = ContentHash(bytes: name) else { preconditionFailure("a SHA-256 has 32 bytes") }
        return BlockReference(sha256: hash, size: Int64(1 + number * 40))
    }
}
