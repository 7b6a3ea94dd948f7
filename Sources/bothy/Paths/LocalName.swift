import BothyContract

/// The last part of a local path, as the name that a file gets elsewhere.
enum LocalName {
    /// `report.pdf` of `a/report.pdf`, `a` of `a/`; nil for `/`, `.`, `..` and nothing, which name no file.
    static func of(_ path: String) -> String? {
        guard let last = path.pathNames.last, last != ".", last != ".." else { return nil }
        return last
    }

    /// The folder that a path's last part lies in: `a` of `a/b`, `.` of `b`, `/` of `/b`.
    static func folder(of path: String) -> String {
        let trimmed = path.hasSuffix("/") ? String(path.reversed().drop { $0 == "/" }.reversed()) : path
        guard let slash = trimmed.lastSlash else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
