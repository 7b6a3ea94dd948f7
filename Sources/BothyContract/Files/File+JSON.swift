// The files of every answer. Each names its fields in the order of the alphabet; see ``JSONWritable`` and ``JSONReadable``.

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

extension File: JSONReadable {
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        checksum = try json.fieldIfThere("checksum")
        createdAt = try json.field("createdAt")
        deviceId = try json.fieldIfThere("deviceId")
        downloadUrl = try json.fieldIfThere("downloadUrl")
        executable = try json.field("executable")
        headRevisionId = try json.fieldIfThere("headRevisionId")
        hidden = try json.field("hidden")
        id = try json.field("id")
        media = try json.fieldIfThere("media")
        mimeType = try json.field("mimeType")
        modifiedAt = try json.field("modifiedAt")
        name = try json.field("name")
        parentId = try json.fieldIfThere("parentId")
        requestId = try json.fieldIfThere("requestId")
        size = try json.field("size")
        starred = try json.field("starred")
        trashed = try json.field("trashed")
        trashedAt = try json.fieldIfThere("trashedAt")
        updatedAt = try json.field("updatedAt")
        version = try json.field("version")
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

extension Media: JSONReadable {
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        durationMs = try json.fieldIfThere("durationMs")
        height = try json.field("height")
        kind = try json.field("kind")
        takenAt = try json.field("takenAt")
        width = try json.field("width")
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
