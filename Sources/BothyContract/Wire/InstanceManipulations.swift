/// Content that is changed for its way and stays the same content: the names of `A-IM` and `IM` (RFC 3229).
///
/// `zstd` is not among the names that RFC 3229 registers, and means what the coding of that name does (RFC 8878). The order is that in which
/// they were done: a range of the content, and then that compressed, so that every range, length and tag speaks of plain bytes.
package enum InstanceManipulations {
    /// Bytes of content in each frame that a server makes. A frame has its checksum: so much is known to be right before the end.
    package static let frameBytes = 1 << 20

    private static let range = "range"
    private static let zstd = ContentCodings.zstd

    /// What a client asks for and is answered: a range, compressed.
    package static let packedRange = "\(range), \(zstd)"
    /// The whole, compressed.
    package static let packedWhole = zstd

    /// What an answer may be made, as far as its client takes it.
    ///
    /// - Parameters:
    ///   - wishes: the request's `A-IM`.
    ///   - isRange: whether a range is answered.
    /// - Returns: what its `IM` says; nil where it goes plain.
    package static func answer(to wishes: WeightedNames, isRange: Bool) -> String? {
        if isRange { return wishes.take(range, before: zstd) ? packedRange : nil }
        return wishes.take(zstd) ? packedWhole : nil
    }

    /// Whether an answer's `IM` says that it is a range, compressed.
    package static func isPackedRange(_ header: String) -> Bool {
        header.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } } == [range, zstd]
    }
}
