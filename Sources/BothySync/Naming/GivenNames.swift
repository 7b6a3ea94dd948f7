import BothyContract

/// The names that folder sync itself gives.
package enum GivenNames {
    /// «report (anna's conflict 2026-11-20).pdf», and with a number from the second on.
    ///
    /// - Parameter day: as `2026-11-20`.
    package static func conflict(_ name: NodeName, device: String, day: String, attempt: Int) -> NodeName {
        NodeName(FileName.conflict(name.text, device: device, day: day, attempt: attempt))
    }

    /// «report (1).pdf». Attempts count from 0.
    package static func numbered(_ name: NodeName, attempt: Int) -> NodeName {
        NodeName(FileName.numbered(name.text, attempt + 1))
    }

    /// Whether it is such a name of another: «report (7).pdf» of «report.pdf».
    package static func isNumbered(_ name: NodeName, as other: NodeName) -> Bool {
        guard let open = name.text.utf8.lastIndex(of: UInt8(ascii: "(")) else { return false }
        let digits = name.text.utf8[open...].dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(Substring(digits)).map { $0 > 0 && FileName.numbered(other.text, $0) == name.text } ?? false
    }

    // MARK: - Names that make way

    private static let waiting = ".bothy-moving-"

    /// A name for the moment between two moves, when a node must leave a name before its own is free.
    ///
    /// - Parameters:
    ///   - id: under which it was agreed on: what is cut off between the two moves is known by it.
    ///   - isTaken: what was cut off before may have it still.
    package static func temporary(for id: String, isTaken: (NodeName) -> Bool) -> NodeName {
        var attempt = 0
        while isTaken(temporary(for: id, attempt: attempt)) { attempt += 1 }
        return temporary(for: id, attempt: attempt)
    }

    /// As many passing names of one node are told apart: a second is needed only where something was left under the first.
    package static let knownPassingNames = 3

    /// - Parameter attempt: counts from 0.
    package static func temporary(for id: String, attempt: Int) -> NodeName {
        NodeName(waiting + NameDigest.hex(attempt == 0 ? id : "\(id)\0\(attempt)"))
    }

    /// No person gave such a name: a move to it that was cut off is no rename.
    package static func isTemporary(_ name: NodeName) -> Bool {
        name.byteCount == waiting.utf8.count + 16 && name.text.utf8.starts(with: waiting.utf8)
    }
}
