import BothyClient

/// What a page hears while it is open.
struct PageStream: Sendable {
    typealias Tell = @Sendable (ServerEvent) throws -> Void
    /// Tells until there is no more, or until it is canceled.
    typealias Telling = @Sendable (_ tell: @escaping Tell) async throws -> Void

    /// As the router spells it: `/folder/{id}/events`.
    var path: String
    /// Opens it for a visit; nil for an address that asks for nothing that could be told.
    var open: @Sendable (Visit) async throws -> Telling?

    init(_ path: String, _ open: @escaping @Sendable (Visit) async throws -> Telling?) {
        self.path = path
        self.open = open
    }

    /// The id in an address of this stream; empty where its addresses have none, and nil for another's address.
    func id(in path: Substring) -> String? {
        let (own, asked) = (self.path.split(separator: "/"), path.split(separator: "/"))
        guard own.count == asked.count else { return nil }
        var id = ""
        for (part, given) in zip(own, asked) where part != given {
            guard part == "{id}" else { return nil }
            id = String(given)
        }
        return id
    }
}
