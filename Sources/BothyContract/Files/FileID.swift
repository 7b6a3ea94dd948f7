/// What ids look like, so that nothing else reaches a database, a disk or a link.
package enum FileID {
    /// Bytes; ours have 36.
    private static let lengths = 1...64

    package static func isPlausible(_ id: String) -> Bool {
        lengths.contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
