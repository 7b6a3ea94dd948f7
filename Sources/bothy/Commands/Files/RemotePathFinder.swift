import BothyClient
import BothyContract

/// Finds where a file lies from its id, by its folders, and remembers those.
struct RemotePathFinder {
    /// Folders and files that are remembered; past that it begins anew.
    private static let mostRemembered = 10_000
    /// Folders above each other that are asked for; more than the server has would be a circle.
    private static let deepest = 1_000

    private struct Place {
        var name: String
        var parentId: String?
    }

    private let home: DeviceHome
    private var known: [String: Place] = [:]
    private var folders: [String: String] = [:]

    init(home: DeviceHome) { self.home = home }

    /// - Returns: nil where it is not known: what was removed before it was ever seen.
    mutating func path(of change: Change) async throws -> String? {
        if let file = change.file { remember(file) }
        guard let place = known[change.id] else { return nil }
        let path = try await path(of: place)
        if change.removed { known[change.id] = nil }
        return path
    }

    /// - Returns: nil when it, or a folder above it, is not there any more.
    mutating func path(ofId id: String) async throws -> String? {
        guard let place = try await folder(id) else { return nil }
        return try await path(of: place)
    }

    /// The same for a folder that something was in; what this device knows of it is asked first.
    mutating func path(ofFolder id: String) async throws -> String? {
        if let path = folders[id] { return path }
        var path: String?
        // Where this device cannot tell, the server is asked.
        if let luid = try? await home.replica.luid(of: id) { path = try await home.replica.path(of: luid)?.text }
        if path == nil { path = try await self.path(ofId: id) }
        if folders.count >= Self.mostRemembered { folders.removeAll(keepingCapacity: true) }
        folders[id] = path
        return path
    }

    private mutating func path(of place: Place) async throws -> String? {
        var names: [String] = []
        var next: Place? = place
        while let place = next, let parentId = place.parentId {
            guard names.count < Self.deepest else { return nil }
            names.append(place.name)
            next = try await folder(parentId)
        }
        return next == nil ? nil : "/" + names.reversed().joined(separator: "/")
    }

    private mutating func folder(_ id: String) async throws -> Place? {
        if let place = known[id] { return place }
        do {
            let file = try await home.files.file(id)
            remember(file)
            return Place(name: file.name, parentId: file.parentId)
        } catch let failure as ClientFailure where failure.code == .notFound {
            return nil
        }
    }

    private mutating func remember(_ file: File) {
        if known.count >= Self.mostRemembered { known.removeAll(keepingCapacity: true) }
        known[file.id] = Place(name: file.name, parentId: file.parentId)
    }
}
