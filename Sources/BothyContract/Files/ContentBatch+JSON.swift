// Each names its fields in the order of the alphabet; see ``JSONWritable`` and ``JSONReadable``.

extension ContentBatchOutcome: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("content", content)
        json.field("problem", problem)
        json.field("revisionId", revisionId)
        json.field("status", Int64(status))
    }
}

extension ContentBatchOutcome: JSONReadable {
    /// Of one that has content.
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        content = try json.fieldIfThere("content")
        revisionId = try json.field("revisionId")
        status = try json.field("status")
    }
}

extension BatchedContent: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("checksum", checksum)
        json.field("executable", executable)
        json.field("modifiedAt", modifiedAt)
        json.field("size", size)
    }
}

extension BatchedContent: JSONReadable {
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        checksum = try json.field("checksum")
        executable = try json.field("executable")
        modifiedAt = try json.field("modifiedAt")
        size = try json.field("size")
    }
}
