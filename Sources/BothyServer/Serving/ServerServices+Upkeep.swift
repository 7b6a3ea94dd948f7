/// What looks after the data, put together from the services.
extension ServerServices {
    package var collection: GarbageCollection {
        GarbageCollection(database: database, packs: packs, writes: writes, lived: { [lived] in lived.now() })
    }

    package var importing: Import {
        Import(
            database: database, sessions: uploads, simple: simpleUploads, stamps: stamps, notifier: notifier)
    }

    package var jobs: [Job] {
        let upkeep = AccountUpkeep(
            database: database, keys: signingKeys, tokens: tokens, livedMilliseconds: { [lived] in lived.milliseconds() })
        return ServerJobs(database: database, collection: collection, stamps: stamps, lived: lived, notifier: notifier)
            .all(accounts: { try await upkeep.round() })
    }
}
