import BothyContract

/// Which operations leave together, as one call of the drive's: small uploads, as many as fit one request. Pure.
///
/// One that goes with others has its answer when they all have theirs, so what takes long goes alone.
enum LeavingOperations {
    /// - Parameter operations: in the order in which they leave.
    /// - Returns: them, in that order except for small uploads, which go along with the first of those that they go with.
    static func together(_ operations: [JournalOperation]) -> [[JournalOperation]] {
        var companies = [[JournalOperation]]()
        /// Where the company is that others may join yet, and its bytes.
        var open: (place: Int, bytes: Int64)?
        for operation in operations {
            guard let size = operation.content?.size, size <= UploadLimits.batchContent else {
                companies.append([operation])
                continue
            }
            if let (place, bytes) = open, companies[place].count < BatchGathering.mostItems,
                bytes + size <= BatchGathering.largestBody
            {
                companies[place].append(operation)
                open = (place, bytes + size)
            } else {
                open = (companies.count, size)
                companies.append([operation])
            }
        }
        return companies
    }
}
