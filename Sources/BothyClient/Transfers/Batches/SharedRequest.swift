import BothyContract

/// What of a device's files go many in one request.
package enum SharedRequest {
    /// Files of one request at most.
    package static let mostFiles = BatchGathering.mostItems
    /// Bytes of the files of one request at most, about: what is said of each comes to it.
    package static let mostBytes = Int64(BatchGathering.largestBody)

    /// - Parameters:
    ///   - size: bytes of the file.
    ///   - isChange: whether there is an older version, of which much may stay.
    package static func takes(_ size: Int64, isChange: Bool) -> Bool {
        size <= UploadLimits.batchContent && !RevisionSketch.isWorthIt(size, isChange: isChange)
    }
}
