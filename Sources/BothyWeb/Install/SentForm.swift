/// What became of a form that waited for a connection, as the service worker is told.
struct SentForm: Encodable {
    var isDone: Bool
    /// What a person is to know of it.
    var words: String?
}
