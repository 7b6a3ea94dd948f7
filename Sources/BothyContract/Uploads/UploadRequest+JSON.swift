// The request of every small file. Each names its fields in the order of the alphabet; see ``JSONWritable``.

extension UploadRequest: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("baseRevisionId", baseRevisionId)
        json.field("conflict", conflict?.rawValue)
        json.field("executable", executable)
        json.field("fileHashSha256", fileHashSha256)
        json.field("fileId", fileId)
        json.field("finalize", finalize?.rawValue)
        json.field("mimeType", mimeType)
        json.field("modifiedAt", modifiedAt)
        json.field("name", name)
        json.field("parentId", parentId)
        json.field("plan", plan)
        json.field("requestId", requestId)
        json.field("size", size)
    }
}

extension ChunkPlan: JSONWritable {
    package func write(to json: inout JSONWriter) {
        if let blocks { json.field("blocks", blocks) }
        json.field("chunkSize", chunkSize)
        json.field("kind", kind.rawValue)
        json.field("parameters", parameters.map(Int64.init))
    }
}

extension BlockReference: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("sha256", sha256)
        json.field("size", size)
    }
}
