// The pages of the log. Each names its fields in the order of the alphabet; see ``JSONWritable`` and ``JSONReadable``.

extension GetChangesResponse: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("changes", changes)
        json.field("cursor", cursor)
        json.field("hasMore", hasMore)
    }
}

extension GetChangesResponse: JSONReadable {
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        changes = try json.field("changes")
        cursor = try json.field("cursor")
        hasMore = try json.field("hasMore")
    }
}

extension Change: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("file", file)
        json.field("id", id)
        json.field("kind", kind.rawValue)
        json.field("removed", removed)
    }
}

extension Change: JSONReadable {
    package init(fields json: inout JSONReader) throws(JSONReader.Unusual) {
        file = try json.fieldIfThere("file")
        id = try json.field("id")
        kind = try json.field("kind")
        removed = try json.field("removed")
    }
}
