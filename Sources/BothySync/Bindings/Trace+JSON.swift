import BothyContract

extension Decision.Trace {
    /// What nearly every trace comes to: a file was sent or brought. Its fields are named in the order of the alphabet; see
    /// ``JSONWritable``.
    private struct Usual: JSONWritable {
        let content: ContentHash?
        let isLinking: Bool?
        let keep: String?
        let remoteId: String?

        func write(to json: inout JSONWriter) {
            json.field("content", content)
            json.field("isLinking", isLinking)
            json.field("keep", keep)
            json.field("remoteId", remoteId)
        }
    }

    /// As JSON, the very bytes that `JSONEncoder` says.
    func json() throws -> String {
        var usual = Decision.Trace(remoteId: remoteId, keep: keep)
        (usual.content, usual.isLinking) = (content, isLinking)
        guard self == usual else { return try JSONColumn.text(self) }
        return JSONColumn.spelled(Usual(content: content, isLinking: isLinking, keep: keep, remoteId: remoteId))
    }
}
