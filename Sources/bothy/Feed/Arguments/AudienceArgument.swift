import BothyClient
import BothyContract

/// Who may read a post, as somebody types it.
enum AudienceArgument {
    /// - Parameter arguments: `everyone`, `followers`, or people; nothing is everyone.
    /// - Returns: nil for everyone.
    static func find(_ arguments: [String], in home: DeviceHome) async throws -> NewPostAudience? {
        let kinds = arguments.compactMap { PostAudience.Kind(rawValue: $0.lowercased()) }.filter { $0 != .people }
        if let kind = kinds.first {
            guard arguments.count == 1 else {
                throw Complaint.usage(
                    "“\(kind.rawValue)” already says who may read it.", remedy: "Give either it or people.")
            }
            return kind == .everyone ? nil : NewPostAudience(kind: kind)
        }
        guard !arguments.isEmpty else { return nil }
        var people = [Int64]()
        for argument in arguments {
            let person = try await PersonArgument.find(argument, in: home)
            if !people.contains(person.id) { people.append(person.id) }
        }
        guard people.count <= FeedLimits.maximumPeople else {
            throw Complaint.usage("A post can be for at most \(FeedLimits.maximumPeople) people.")
        }
        return NewPostAudience(kind: .people, people: people)
    }
}
