import BothyContract

/// What keeps a device's folder in sync with the server: made anew after each crash, from what the device still has.
package protocol DeviceEngine: AnyObject {
    /// Makes one pass.
    ///
    /// - Parameters:
    ///   - confirming: a person says yes to whatever a guard holds back.
    ///   - told: what it does, in words.
    func pass(confirming: Bool, told: @escaping @Sendable (String) -> Void) async throws -> PassEnd
    /// What it does not sync, by the paths on its disk.
    func keptApart() async throws -> [KeptApart]
    /// A person decides about something that waits for that; the next pass acts on it.
    ///
    /// - Returns: nil where nothing waits.
    func decide(_ thing: Int, _ choice: Int) async throws -> Decided?
}

/// What a person decided.
package struct Decided: Equatable, Sendable {
    /// `/notes/a.txt`
    package var path: String
    /// Versions that may go for it, beside all that is at the path.
    package var contents: [ContentHash]
    package var words: String

    package init(path: String, contents: [ContentHash], words: String) {
        self.path = path
        self.contents = contents
        self.words = words
    }
}

/// How a pass ended.
package struct PassEnd: Equatable, Sendable {
    /// How many things it did.
    package var done: Int
    /// How many things it still has to do, or leaves until a person confirms.
    package var left: Int
    /// The folder is linked with the server: what is absent on one side was deleted.
    package var isLinked: Bool
    /// Paths on its disk that it does not sync, since a rule of the product says so.
    package var kept: [String]

    package init(done: Int, left: Int, isLinked: Bool, kept: [String] = []) {
        self.done = done
        self.left = left
        self.isLinked = isLinked
        self.kept = kept
    }

    package var isAtRest: Bool { done == 0 && left == 0 }
}

/// Something that an engine does not sync.
package struct KeptApart: Equatable, Sendable {
    /// `/notes/a.txt`
    package var path: String
    /// The same on the server, where it has another path there.
    package var pathThere: String
    /// What has its name on the server, in the folder that it lies in: that folder may be called otherwise there.
    package var pathByName: String
    /// A rule of the product says that it stays so until a person does something: a conflict to decide, a deletion to
    /// confirm, a name or a kind that one side cannot hold. All else may wait during a pass, and never at rest.
    package var isByRule: Bool
    /// The server does not have it; what the server has under this path is something else.
    package var isHereAlone: Bool
    /// What the server has under this path is something else, and on the disk under another name.
    package var hasAnotherThere: Bool
    package var why: String

    /// What of the server is kept apart with it.
    package var pathsThere: [String] {
        if isHereAlone { return [] }
        return hasAnotherThere ? [pathThere] : [pathByName, pathThere]
    }

    package init(
        path: String, pathThere: String? = nil, pathByName: String? = nil, isByRule: Bool, isHereAlone: Bool,
        hasAnotherThere: Bool = false, why: String
    ) {
        self.path = path
        self.pathThere = pathThere ?? path
        self.pathByName = pathByName ?? path
        self.isByRule = isByRule
        self.isHereAlone = isHereAlone
        self.hasAnotherThere = hasAnotherThere
        self.why = why
    }
}

/// Makes the engines of a world. The device keeps its disk over crashes; a database is the maker's to keep.
package protocol EngineMaker: Sendable {
    func engine(for device: SimulatedDevice) async throws -> any DeviceEngine
}
