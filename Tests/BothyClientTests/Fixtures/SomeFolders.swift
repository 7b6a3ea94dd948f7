import BothyClient

/// Folders in step that stand as a test says; none, where it says nothing.
struct SomeFolders: FoldersInStep {
    private let states: [FolderInStep.State]

    init(_ states: [FolderInStep.State] = []) { self.states = states }

    func all() async throws -> [FolderInStep] {
        states.enumerated().map { FolderInStep(id: "\($0)", localPath: "/box", remotePath: "/box", state: $1) }
    }

    func content(of file: String, revision: String) async throws -> String? { nil }
    func looks() -> AsyncThrowingStream<[FolderInStep], any Error> { AsyncThrowingStream { $0.finish() } }
    func letPass(_ folder: FolderInStep.ID, _ saw: GuardSaw) async throws {}
    func bringBack(_ folder: FolderInStep.ID) async throws {}
    func lookAgain(_ folder: FolderInStep.ID) async throws {}
    func untie(_ folder: FolderInStep.ID) async throws {}
    func passes(most: Int) async throws -> [FolderPass] { [] }
    func takeBack(_ pass: FolderPass.ID) async throws -> Int { 0 }
    func decided(most: Int) async throws -> [FolderDecision] { [] }
    func takeBack(decision: FolderDecision.ID) async throws -> Int { 0 }
    func tie(_ wish: FolderToTie, as plan: String) async throws {}

    func look(at wish: FolderToTie) async throws -> TyingLook {
        TyingLook(plan: "", localPath: wish.localPath, remotePath: wish.remotePath)
    }

    func why(_ path: String) async throws -> PlaceExplanation {
        PlaceExplanation(path: path, state: .outside, cause: .outside)
    }
}
