/// A place in a drive's change log: the server's epoch, the sequence number, and the tag of the entry there.
///
/// Opaque to clients; they only hand it back. The tag lets the server notice a cursor of another past: after a
/// restore from a backup the same number may stand for another change.
public struct ChangeCursor: Hashable, Sendable {
    /// The server's; restoring it from a backup begins another.
    public var epoch: Int64
    /// 0 before the first change.
    public var sequence: Int64
    /// Made by chance with the change, so that a number of another past is noticed.
    public var tag: UInt32

    public init(epoch: Int64, sequence: Int64, tag: UInt32) {
        self.epoch = epoch
        self.sequence = sequence
        self.tag = tag
    }

    /// Whether it is of a later life of the server, or a later change of the same one.
    package func isAfter(_ other: ChangeCursor) -> Bool { (epoch, sequence) > (other.epoch, other.sequence) }

    /// Whether it is of the very next change: the numbers of a log have no gaps.
    package func isNext(after other: ChangeCursor) -> Bool {
        epoch == other.epoch && sequence == other.sequence + 1
    }

    /// `c1.<epoch>.<sequence>.<tag>`, each number in base 36.
    public var text: String {
        "c1.\(String(epoch, radix: 36)).\(String(sequence, radix: 36)).\(String(tag, radix: 36))"
    }

    /// - Returns: nil for what no server wrote.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "c1", text.utf8.count <= 64,
            let epoch = Int64(parts[1], radix: 36), epoch >= 0,
            let sequence = Int64(parts[2], radix: 36), sequence >= 0,
            let tag = UInt32(parts[3], radix: 36)
        else { return nil }
        self.init(epoch: epoch, sequence: sequence, tag: tag)
    }
}
