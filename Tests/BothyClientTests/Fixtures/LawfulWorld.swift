import BothyContract

@testable import BothyClient

/// What the law of the view holds for: replaying operations over cached server state shows the same as performing them on the server and
/// fetching the result.
enum LawfulDomain: CaseIterable {
    case files, feed

    func world() throws -> any LawfulWorld {
        switch self {
        case .files: try TestReplica(PaperDrive())
        case .feed: try PaperFeed()
        }
    }
}

/// One domain of a device's journal with its server.
protocol LawfulWorld: Sendable {
    /// Something that a person might do next; nothing where that makes no sense.
    func step(_ random: inout SeededRandom) async throws
    /// Sends what waits.
    func send() async throws -> JournalRunner.Rest
    /// Takes in what the server says.
    func fetch() async throws
    /// What is shown here, in words.
    func shown() async throws -> [String]
    /// What the server would say to who asks now, in the same words.
    func served() -> [String]
    func journalIsEmpty() async throws -> Bool
}

extension TestReplica: LawfulWorld {
    func send() async throws -> JournalRunner.Rest { try await push() }
    func fetch() async throws { try await pull() }
    func served() -> [String] { fetched() }
    func journalIsEmpty() async throws -> Bool { try await store.journal().isEmpty }

    /// Something that a person might do next; nothing where that makes no sense.
    func step(_ random: inout SeededRandom) async throws {
        let all = try await store.view { view in
            var (all, waiting) = ([ReplicaFile](), [LUID.root])
            while let folder = waiting.popLast() {
                for file in try view.children(of: folder) {
                    all.append(file)
                    if file.isFolder { waiting.append(file.luid) }
                }
            }
            return all
        }
        let folders = [LUID.root] + all.filter(\.isFolder).map(\.luid)
        let parent = folders[random.below(folders.count)]
        let name = ["a", "b", "c.txt", "a (1)"][random.below(4)]
        let subject = all.isEmpty ? nil : all[random.below(all.count)]
        let kind = random.below(10)
        do {
            guard kind > 2, let subject else {
                if kind == 0 {
                    try await record(.createFolder(parent: parent, name: name))
                } else {
                    try await record(
                        .upload(
                            parent: parent, name: name, content: content([UInt8(random.below(200))]),
                            conflict: ConflictPolicy.allCases[random.below(3)]))
                }
                return
            }
            switch kind {
            case 3: try await record(.rename(name: name), on: subject.luid)
            case 4, 5: try await record(.move(parent: parent, name: nil), on: subject.luid)
            case 6: try await record(.trash(seen: .anything), on: subject.luid)
            case 7: try await record(.star(!subject.starred), on: subject.luid)
            case 8: try await record(.hide(!subject.hidden), on: subject.luid)
            default:
                if subject.isFolder {
                    try await record(.trash(seen: .anything), on: subject.luid)
                    try await record(.restore, on: subject.luid)
                } else {
                    try await record(
                        .newRevision(
                            content: content([UInt8(random.below(200)), 1]), base: subject.headRevisionId),
                        on: subject.luid)
                }
            }
        } catch is ClientFailure {
            // Refused at once, as the server would: nothing was recorded, and nothing may be shown of it.
        }
    }
}
