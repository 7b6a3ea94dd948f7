/// Reads Server-Sent Events as they come, in whatever pieces (HTML Living Standard §9.2.6).
package struct EventStreamParser: Sendable {
    package enum Piece: Equatable, Sendable {
        /// A comment line: somebody is there.
        case comment
        /// An event has ended.
        case event(id: String?, name: String)
    }

    /// Bytes of a line that are taken: a cursor's event is far below.
    private static let longestLine = 16 << 10

    private var line = [UInt8]()
    private var afterReturn = false
    private var id: String?
    private var name = ""
    private var hasData = false

    package init() {}

    /// - Throws: `answerInvalid` for a line that no event stream of ours has.
    package mutating func take(_ bytes: some Sequence<UInt8>) throws(ClientFailure) -> [Piece] {
        var pieces = [Piece]()
        for byte in bytes {
            let followsReturn = afterReturn
            afterReturn = byte == UInt8(ascii: "\r")
            if byte == UInt8(ascii: "\n"), followsReturn { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if let piece = endOfLine() { pieces.append(piece) }
                line.removeAll(keepingCapacity: true)
                continue
            }
            guard line.count < Self.longestLine else {
                throw ClientFailure(.answerInvalid, "The server's event stream has a line longer than it can be.")
            }
            line.append(byte)
        }
        return pieces
    }

    private mutating func endOfLine() -> Piece? {
        if line.isEmpty { return endOfEvent() }
        if line[0] == UInt8(ascii: ":") { return .comment }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? String(parts[1]) : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "id": if !value.contains("\0") { id = value }
        case "event": name = value
        case "data": hasData = true
        default: break
        }
        return nil
    }

    private mutating func endOfEvent() -> Piece? {
        defer {
            name = ""
            hasData = false
        }
        return hasData ? .event(id: id, name: name.isEmpty ? "message" : name) : nil
    }
}
