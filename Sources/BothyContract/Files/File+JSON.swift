// The files of every answer. Each names its fields in the order of the alphabet; see ``JSONWritable``.

extension File: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("checksum", checksum)
        json.field("createdAt", createdAt)
        json.field("deviceId", deviceId)
        json.field("downloadUrl", downloadUrl)
        json.field("executable", executable)
        json.field("headRevisionId", headRevisionId)
        json.field("hidden", hidden)
        json.field("id", id)
        json.field("media", media)
        json.field("mimeType", mimeType)
        json.field("modifiedAt", modifiedAt)
        json.field("name", name)
        json.field("parentId", parentId)
        json.field("requestId", requestId)
        json.field("size", size)
        json.field("starred", starred)
        json.field("trashed", trashed)
        json.field("trashedAt", trashedAt)
        json.field("updatedAt", updatedAt)
        json.field("version", version)
    }
}

extension Media: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("durationMs", durationMs)
        json.field("height", Int64(height))
        json.field("kind", kind.rawValue)
        json.field("takenAt", takenAt)
        json.field("width", Int64(width))
    }
}

extension FileRevision: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("checksum", checksum)
        json.field("createdAt", createdAt)
        json.field("deviceId", deviceId)
        json.field("downloadUrl", downloadUrl)
        json.field("fileId", fileId)
        json.field("mimeType", mimeType)
        json.field("modifiedAt", modifiedAt)
        json.field("revisionId", revisionId)
        json.field("size", size)
    }
}

extension GetFilesResponse: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("files", files)
        json.field("pagination", pagination)
    }
}

extension PaginationMetadata: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("limit", Int64(limit))
        json.field("next", next)
    }
}

extension CreateFileRequest: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("mimeType", mimeType)
        json.field("name", name)
        json.field("parentId", parentId)
        json.field("requestId", requestId)
    }
}
