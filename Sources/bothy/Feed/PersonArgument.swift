import BothyClient
import BothyContract

/// A person as somebody types them: by name or number.
enum PersonArgument {
    /// The bound on pages, for a server that never ends.
    private static let mostPages = 1_000

    static func all(in home: DeviceHome) async throws -> [Person] {
        var (people, place) = ([Person](), String?.none)
        for _ in 0..<mostPages {
            let page = try await home.people.page(after: place, limit: PaginationMetadata.maximumLimit)
            people += page.people
            place = page.next
            if place == nil { break }
        }
        return people
    }

    static func find(_ argument: String, in home: DeviceHome) async throws -> Person {
        let people = try await all(in: home)
        if let number = Int64(argument), let person = people.first(where: { $0.id == number }) { return person }
        let wanted = argument.lowercased()
        let found = people.filter { $0.name.lowercased() == wanted }
        switch found.count {
        case 1: return found[0]
        case 0:
            throw Complaint(
                .notThere, "Nobody here is called “\(argument)”.", remedy: "“bothy feed people” lists who is here.",
                status: .notThereOrInConflict)
        default:
            throw Complaint(
                .ambiguous, "\(found.count) people are called “\(argument)”.",
                remedy: "Give the number of the one you mean: \(found.map { String($0.id) }.joined(separator: ", ")).",
                status: .notThereOrInConflict)
        }
    }
}
