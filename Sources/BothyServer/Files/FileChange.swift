import BothyContract

/// What a change made of a file, and its place in the log.
package struct FileChange: Sendable {
    package var row: FileRow
    package var trashed: Bool
    package var cursor: ChangeCursor

    package init(row: FileRow, trashed: Bool = false, cursor: ChangeCursor) {
        self.row = row
        self.trashed = trashed
        self.cursor = cursor
    }
}
