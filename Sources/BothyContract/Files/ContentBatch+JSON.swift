// Each names its fields in the order of the alphabet; see ``JSONWritable``.

extension ContentBatchOutcome: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("content", content)
        json.field("problem", problem)
        json.field("revisionId", revisionId)
        json.field("status", Int64(status))
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
