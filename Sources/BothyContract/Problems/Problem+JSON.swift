// Each names its fields in the order of the alphabet; see ``JSONWritable``.

extension Problem: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("blockParameters", blockParameters.map(Int64.init))
        json.field("code", code.rawValue)
        json.field("computedSha256", computedSha256)
        json.field("conflictingFileId", conflictingFileId)
        json.field("currentRevisionId", currentRevisionId)
        json.field("currentVersion", currentVersion)
        json.field("detail", detail)
        json.field("earliest", earliest)
        json.field("free", free)
        json.field("limit", limit)
        json.field("missing", missing)
        json.field("plan", plan)
        json.field("postId", postId)
        json.field("restoreId", restoreId)
        json.field("retryAfter", retryAfter.map { Int64($0) })
        json.field("status", Int64(status))
        json.field("title", title)
        json.field("type", type)
    }
}

extension PlanBounds: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("chunkSize", chunkSize)
        json.field("size", size)
        json.field("totalChunks", Int64(totalChunks))
    }
}
