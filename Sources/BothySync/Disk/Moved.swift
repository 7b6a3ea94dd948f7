/// How something came from one name to another.
package enum Moved: Sendable {
    /// It is the same inode.
    case renamed
    /// The system renames nothing from there to here: it was made anew here, and is gone from there.
    case carried

    /// Whether what has the new name is what had the old one.
    ///
    /// - Parameter expected: what had that.
    func hasBrought(_ expected: DiskFacts, as now: DiskFacts) -> Bool {
        switch self {
        case .renamed: now.holdsTheSame(as: expected)
        case .carried: now.isCopy(of: expected)
        }
    }
}
