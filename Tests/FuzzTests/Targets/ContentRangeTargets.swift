import BothyContract

@testable import BothyServer

extension FuzzTarget {
    /// `Content-Range`, and what it stands for in an upload: the first eight bytes are the size of the file, the rest the header.
    static let contentRanges = FuzzTarget(
        "content-ranges",
        words: ["bytes ", "-", "/", "*", " ", "18446744073709551616", "9223372036854775807", "262144", "0", "00", "+"]
    ) { input in
        let size = input.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & .max
        let text = String(decoding: input.dropFirst(8), as: UTF8.self)
        let range = ContentRange(text: text)
        if let range {
            try require(range.first >= 0 && range.first <= range.last && range.length > 0, "\(range) is none")
            try require(range.total.map { range.last < $0 } ?? true, "\(range) goes past its total")
            try require(ContentRange(text: range.text) == range, "\(range.text) is another one")
        }
        let placement = range.map(ChunkPlacement.range) ?? .unreadable(text)
        for plan in try FuzzTarget.plans(ofFilesOf: size) { try FuzzTarget.check(placement, range, in: plan) }
    }

    /// Chunks of either bound, and an open plan that has named all of the file but the end.
    private static func plans(ofFilesOf size: Int64) throws -> [UploadPlan] {
        var plans = try [UploadLimits.chunkSizes.lowerBound, UploadLimits.chunkSizes.upperBound].compactMap { chunk in
            try answered { () throws(Problem) in
                try UploadPlan(
                    starting: UploadRequest(requestId: nil, name: "a", size: size, plan: .fixed(chunkSize: chunk)))
            }
        }
        plans.append(UploadPlan(kind: .open, chunkSize: 16 << 20, totalChunks: 7, size: nil, plannedBytes: size / 2))
        return plans
    }

    private static func check(_ placement: ChunkPlacement, _ range: ContentRange?, in plan: UploadPlan) throws {
        guard try answered({ () throws(Problem) in try plan.check(placement) }) != nil else { return }
        guard let range else { throw FuzzFinding("what cannot be read lies in a plan") }
        try require(range.last < plan.plannedBytes, "\(range) lies past \(plan.plannedBytes) bytes")
        try require(range.length <= UploadLimits.maximumRangeBody, "\(range) is more than one request may carry")
        guard plan.kind == .fixed,
            let chunks = try answered({ () throws(Problem) in try plan.fixedChunks(covering: range) })
        else { return }
        let (first, last) = (plan.fixedChunk(at: chunks.lowerBound), plan.fixedChunk(at: chunks.upperBound))
        try require(first.start == range.first && last.end == range.last + 1, "\(range) is not chunks \(chunks)")
    }
}
