import BothyContent

extension FuzzTarget {
    /// Zstandard frames as an answer brings them. The first byte says in which pieces, the second how much may come out.
    static let streams = FuzzTarget("streams", words: ["\u{28}", "\u{2F}", "\0\0\0\u{1}"]) { input in
        let stream = Array(input.dropFirst(2))
        let most = Int(input.dropFirst().first ?? 0) * 1_024
        let whole = try FuzzTarget.unpack(stream, upTo: most, inPiecesOf: stream.count + 1)
        let cut = try FuzzTarget.unpack(stream, upTo: most, inPiecesOf: 1 + Int(input.first ?? 0) % 37)
        try require(whole.isWhole == cut.isWhole, "whole in one piece alone, or in many alone")
        if whole.isWhole { try require(whole == cut, "other bytes in many pieces") }
        // What is not whole came as far as it could be told.
        let shorter = min(whole.bytes.count, cut.bytes.count)
        try require(
            whole.bytes.prefix(shorter) == cut.bytes.prefix(shorter), "other bytes before the end in many pieces")
    }

    private struct Unpacked: Equatable {
        var bytes = [UInt8]()
        var checked = 0
        var isWhole = false
    }

    private static func unpack(_ stream: [UInt8], upTo most: Int, inPiecesOf piece: Int) throws -> Unpacked {
        guard let unpacker = ZstdUnpacker(upTo: most) else { throw FuzzFinding("no memory") }
        var unpacked = Unpacked()
        do {
            for start in stride(from: 0, to: stream.count, by: piece) {
                try stream[start..<min(start + piece, stream.count)].withUnsafeBytes {
                    try unpacker.unpack($0) { unpacked.bytes += $0 }
                }
            }
            try unpacker.checkEnd()
            unpacked.isWhole = true
        } catch is ZstdUnpacker.Garbled {}
        unpacked.checked = unpacker.checkedCount
        try require(unpacked.bytes.count <= most, "\(unpacked.bytes.count) bytes came where \(most) may")
        try require(unpacked.checked <= unpacker.count, "more is checked than came out")
        return unpacked
    }
}
