extension BlockLocation {
    /// The columns of `blocks` that tell where a block lies, for ``init(_:from:)``.
    ///
    /// - Parameter table: as the statement calls it.
    static func columns(of table: String = "blocks") -> String {
        "\(table).pack, \(table).pack_offset, \(table).size, \(table).stored"
    }

    /// - Parameter first: the column of the pack; offset, size and stored bytes follow.
    init(_ row: SQLRow, from first: Int) {
        self.init(
            pack: row.int64(first), offset: row.int64(first + 1), length: row.int(first + 2),
            stored: row.optional(first + 3, SQLRow.int))
    }
}
