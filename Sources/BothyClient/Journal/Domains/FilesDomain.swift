import BothyContract
import GRDB

/// Files and folders in the journal.
struct FilesDomain: JournalDomain {
    let name = JournalDomainName.files
    private let sender: OperationSender

    init(store: ReplicaStore, drive: any DriveProvider) {
        sender = OperationSender(store: store, drive: drive)
    }

    func together(_ leaving: [any DomainOperation]) -> [[any DomainOperation]] {
        LeavingOperations.together(leaving.compactMap { $0 as? JournalOperation })
    }

    func send(_ company: [any DomainOperation]) async -> [Result<any DomainAnswer, any Error>] {
        do {
            let sent = await sender.send(try company.map { try own($0) as JournalOperation })
            return sent.map { result in result.map { $0 as any DomainAnswer } }
        } catch {
            return company.map { _ in .failure(error) }
        }
    }

    func acknowledge(
        _ operation: any DomainOperation, _ answer: any DomainAnswer, in db: Database
    ) throws -> Acknowledgement {
        try Acknowledgement.take(try own(operation), file: (answer as? OperationSender.Answer)?.file, in: db)
    }
}

extension OperationSender.Answer: DomainAnswer {}

extension JournalOperation: DomainOperation {
    package static let domain = JournalDomainName.files

    package var facts: DomainFacts {
        var facts = DomainFacts(subject: subject, lane: content == nil ? .metadata : .uploads)
        facts.writes.formUnion(places.map(DomainFacts.Key.place))
        // What is taken back from the trash brings the folders along that it lies in.
        if case .restore = action {
            facts.writes.formUnion(scope.filter { $0 != .root }.map(DomainFacts.Key.thing))
        }
        let above = scope + places.map(\.parent) + [destination].compactMap(\.self)
        // The root is never made, moved or deleted.
        facts.reads = Set(above.filter { $0 != .root && $0 != subject }.map(DomainFacts.Key.thing))
        facts.creates = creates
        if let destination { facts.needs.insert(destination) }
        facts.waitsForNews = deletesAFolder
        facts.leaves = Set(placesLeft)
        // Its own name is in a folder above it.
        if isDeletion { facts.takesAlong = Set(places.filter { !scope.contains($0.parent) }) }
        return facts
    }
}
