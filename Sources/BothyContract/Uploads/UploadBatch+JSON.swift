// The answer to many small files. Each names its fields in the order of the alphabet; see ``JSONWritable`` and ``JSONReadable``.

extension UploadBatchResponse: JSONWritable {
    package func write(to json: inout JSONWriter) { json.field("items", items) }
}

extension UploadBatchResponse: JSONReadable {
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        items = try json.field("items")
    }
}

extension UploadBatchOutcome: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("cursor", cursor)
        json.field("cursorBefore", cursorBefore)
        json.field("file", file)
        json.field("problem", problem)
        json.field("requestId", requestId)
        json.field("status", Int64(status))
        json.field("upload", upload)
    }
}

extension UploadBatchOutcome: JSONReadable {
    /// Of one that was stored whole.
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        cursor = try json.fieldIfThere("cursor")
        cursorBefore = try json.fieldIfThere("cursorBefore")
        file = try json.fieldIfThere("file")
        requestId = try json.fieldIfThere("requestId")
        status = try json.field("status")
    }
}

extension UploadedFile: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("checksum", checksum)
        json.field("createdAt", createdAt)
        json.field("deviceId", deviceId)
        json.field("headRevisionId", headRevisionId)
        json.field("id", id)
        json.field("name", name)
        json.field("version", version)
    }
}

extension UploadedFile: JSONReadable {
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        checksum = try json.fieldIfThere("checksum")
        createdAt = try json.fieldIfThere("createdAt")
        deviceId = try json.fieldIfThere("deviceId")
        headRevisionId = try json.fieldIfThere("headRevisionId")
        id = try json.field("id")
        name = try json.field("name")
        version = try json.field("version")
    }
}

extension UploadResponse: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("blockParameters", blockParameters.map(Int64.init))
        json.field("chunkSize", chunkSize)
        json.field("chunksProcessed", Int64(chunksProcessed))
        json.field("file", file)
        json.field("receivedChunks", receivedChunks)
        json.field("totalChunks", Int64(totalChunks))
        json.field("uploadExpiresAt", uploadExpiresAt)
        json.field("uploadId", uploadId)
        json.field("uploadUrl", uploadUrl)
    }
}
