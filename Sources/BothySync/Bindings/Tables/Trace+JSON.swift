import BothyContract

extension Decision.Trace {
    /// What nearly every trace comes to: a file was sent or brought. Its fields are named in the order of the alphabet; see
    /// ``JSONWritable``.
    private struct Usual: JSONWritable {
        let content: ContentHash?
        let isLinking: Bool?
        let keep: String?
        let remoteId: String?
        let was: RemoteSpot?

        func write(to json: inout JSONWriter) {
            json.field("content", content)
            json.field("isLinking", isLinking)
            json.field("keep", keep)
            json.field("remoteId", remoteId)
            json.field("was", was)
        }
    }

    /// As JSON, the very bytes that `JSONEncoder` says.
    func json() throws -> String {
        var usual = Decision.Trace(was: was, remoteId: remoteId, keep: keep)
        (usual.content, usual.isLinking) = (content, isLinking)
        guard self == usual else { return try JSONColumn.text(self) }
        return JSONColumn.spelled(
            Usual(content: content, isLinking: isLinking, keep: keep, remoteId: remoteId, was: was))
    }
}
