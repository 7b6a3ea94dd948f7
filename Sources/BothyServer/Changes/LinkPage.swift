import BothyContract

/// Where the first link is: the place in the log at which it began, and how far it came in the order of serials.
struct LinkCursor: Equatable, Sendable {
    var start: ChangeCursor
    /// −1 before the root.
    var afterSerial: Int64

    /// `l1.<epoch>.<sequence>.<tag>.<serial + 1>`, each number in base 36.
    var text: String { "l1.\(start.text.dropFirst(3)).\(String(afterSerial + 1, radix: 36))" }

    init(start: ChangeCursor, afterSerial: Int64) {
        self.start = start
        self.afterSerial = afterSerial
    }

    /// - Returns: nil for what is no link's cursor.
    init?(text: String) {
        guard text.hasPrefix("l1."), let dot = text.lastIndex(of: "."), text.utf8.count <= 80,
            let start = ChangeCursor(text: "c1." + text[..<dot].dropFirst(3)),
            let next = Int64(text[text.index(after: dot)...], radix: 36), next >= 0
        else { return nil }
        self.init(start: start, afterSerial: next - 1)
    }
}

/// The first link: everything there is, parents first.
///
/// It goes by serial, the sequence of the change that created a node, which nothing ever changes: whatever moves, is
/// created or goes while pages are read, each node that was there at the start comes once, or is in the log after
/// the start, from which the link's last page goes on. A folder that is younger than what was moved into it comes
/// early, and once more in its own place.
struct LinkPage {
    private let db: any SQLConnection
    private let drive: Int64

    init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    func read(_ cursor: LinkCursor, limit: Int) throws -> ChangePage {
        var rows = try db.query(
            """
            SELECT \(FileRow.columns) FROM nodes WHERE drive_id = ? AND serial > ? AND serial <= ? AND purged = 0
            ORDER BY serial LIMIT ?
            """,
            [drive.sql, cursor.afterSerial.sql, cursor.start.sequence.sql, (limit + 1).sql]
        ).map(FileRow.init)
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        let changes = try changes(rows, after: cursor.afterSerial)
        if hasMore, let last = rows.last {
            let next = LinkCursor(start: cursor.start, afterSerial: last.serial)
            return ChangePage(changes: changes, cursor: next.text, hasMore: true)
        }
        let head = try ChangeLog(db, drive: drive).head()
        return ChangePage(changes: changes, cursor: cursor.start.text, hasMore: head != cursor.start)
    }

    private func changes(_ rows: [FileRow], after: Int64) throws -> [Change] {
        let states = EntityStates(db, drive: drive)
        let files = FileTable(db, drive: drive)
        var done = Set<String>()
        var changes = [Change]()
        for row in rows where !done.contains(row.id) {
            let change = try states.change(row)
            // What was deleted for good is absent: a link tells what there is.
            if change.removed { continue }
            for folder in try states.folders(above: row).reversed()
            where folder.serial > after && done.insert(folder.id).inserted {
                guard let early = try files.find(folder.id) else { continue }
                changes.append(try states.change(early))
            }
            done.insert(row.id)
            changes.append(change)
        }
        return changes
    }
}
