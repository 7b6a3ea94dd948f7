// The request of every small file. Each names its fields in the order of the alphabet; see ``JSONWritable`` and ``JSONReadable``.

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

extension UploadRequest: JSONReadable {
    /// Of one without a plan.
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        baseRevisionId = try json.fieldIfThere("baseRevisionId")
        conflict = try json.fieldIfThere("conflict")
        executable = try json.fieldIfThere("executable")
        fileHashSha256 = try json.fieldIfThere("fileHashSha256")
        fileId = try json.fieldIfThere("fileId")
        finalize = try json.fieldIfThere("finalize")
        mimeType = try json.fieldIfThere("mimeType")
        modifiedAt = try json.fieldIfThere("modifiedAt")
        name = try json.field("name")
        parentId = try json.fieldIfThere("parentId")
        requestId = try json.fieldIfThere("requestId")
        size = try json.fieldIfThere("size")
    }
}

extension ConflictPolicy: JSONValue {}
extension FinalizeMode: JSONValue {}

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
