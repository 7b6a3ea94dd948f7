import BothyClient
import BothyContract

/// A person as somebody types her: by handle, name or number.
enum PersonArgument {
    /// The bound on pages, for a server that never ends.
    private static let mostPages = 1_000

    /// - Parameter search: what names or handles begin with; nil for everybody.
    static func all(
        matching search: String? = nil, _ relation: PersonRelation? = nil, in home: DeviceHome
    ) async throws -> [Person] {
        var (people, place) = ([Person](), String?.none)
        for _ in 0..<mostPages {
            let page = try await home.people.page(
                matching: search, relation, after: place, limit: PaginationMetadata.maximumLimit)
            people += page.people
            place = page.next
            if place == nil { break }
        }
        return people
    }

    /// - Parameter relation: among whom; nil for everybody.
    static func find(
        _ argument: String, among relation: PersonRelation? = nil, in home: DeviceHome
    ) async throws -> Person {
        if let relation {
            let typed = Handle(argument)?.text
            let found = try await all(matching: nil, relation, in: home).filter {
                $0.handle == typed || String($0.id) == argument || $0.name.lowercased() == argument.lowercased()
            }
            guard found.count < 2 else { throw several(found, argument) }
            guard let person = found.first else { throw nobody(argument) }
            return person
        }
        if argument.hasPrefix("@") {
            guard let handle = Handle(argument), let person = try await home.people.person(handle: handle) else {
                throw nobody(argument)
            }
            return person
        }
        if let number = Int64(argument), number > 0 {
            do {
                return try await home.people.person(number).value
            } catch let failure as ClientFailure where failure.code == .notFound {
                // Nobody has that number: it may be a name.
            }
        }
        let wanted = argument.lowercased()
        let found = try await all(in: home).filter { $0.name.lowercased() == wanted }
        if found.count == 1 { return found[0] }
        if found.isEmpty, let handle = Handle(argument), let person = try await home.people.person(handle: handle) {
            return person
        }
        throw found.isEmpty ? nobody(argument) : several(found, argument)
    }

    private static func several(_ found: [Person], _ argument: String) -> Complaint {
        let named = found.map { "@\($0.handle) (number \($0.id))" }.joined(separator: ", ")
        return Complaint(
            .ambiguous, "\(found.count) people are called “\(argument)”.",
            remedy: "Give a handle: \(named).", status: .notThereOrInConflict)
    }

    private static func nobody(_ argument: String) -> Complaint {
        Complaint(
            .notThere, "Nobody here is called “\(argument)”.", remedy: "“bothy feed people” lists who is here.",
            status: .notThereOrInConflict)
    }
}
