/// A run of chunk indexes, first and last included; on the wire `[first, last]`.
public struct ChunkRun: Hashable, Sendable {
    public var first: Int
    public var last: Int

    /// - Precondition: 0 ≤ first ≤ last.
    public init(first: Int, last: Int) {
        precondition(0 <= first && first <= last, "a run goes forward")
        self.first = first
        self.last = last
    }

    public var count: Int { last - first + 1 }
}

extension ChunkRun: Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let first = try container.decode(Int.self)
        let last = try container.decode(Int.self)
        guard container.isAtEnd, 0 <= first, first <= last else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a run is [first, last]")
        }
        self.init(first: first, last: last)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(first)
        try container.encode(last)
    }
}

extension Sequence<Int> {
    /// The runs of an ascending sequence of indexes.
    public var chunkRuns: [ChunkRun] {
        var runs = [ChunkRun]()
        for index in self {
            if let last = runs.last?.last, last + 1 == index {
                runs[runs.count - 1].last = index
            } else {
                runs.append(ChunkRun(first: index, last: index))
            }
        }
        return runs
    }
}
