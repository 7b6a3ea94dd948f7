import BothyContract

/// Finding a file by its path from the root: `/docs/report.pdf`.
package enum FilePath {
    /// Bytes of the longest path that is looked up.
    private static let maximumLength = 64 << 10

    /// - Throws: `not_found`; `invalid_parameter` for a path that does not begin at the root; `invalid_name`.
    package static func find(_ path: String, in files: FileTable) throws -> FileRow {
        guard path.beginsWithSlash, path.utf8.count <= maximumLength else {
            throw Problem(.invalidParameter, "“path” begins at the root, with “/”.")
        }
        guard var row = try files.find(File.rootId) else { throw FileTable.notFound }
        for name in path.pathNames {
            guard let child = try files.child(named: try FileName.checked(name), of: row.id) else {
                throw FileTable.notFound
            }
            row = child
        }
        return row
    }
}
