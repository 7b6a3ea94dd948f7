import Logging

/// What looks after the data, put together from the services.
extension ServerServices {
    package var collection: GarbageCollection {
        GarbageCollection(database: database, packs: packs, writes: writes, lived: { [lived] in lived.now() })
    }

    package var importing: Import {
        Import(
            database: database, sessions: uploads, simple: simpleUploads, stamps: stamps, notifier: notifier)
    }

    package var search: DriveSearch { DriveSearch(database: database, packs: packs) }

    package var moderation: Moderation { Moderation(database: database, stamps: stamps) }

    package var export: AccountExport { AccountExport(database: database, links: links) }

    package var people: People {
        People(database: database, clock: clock, telling: posts.telling, ids: snowflakes)
    }

    package var faces: Faces { Faces(people: people, media: media) }

    package var notifications: FeedNotifications { FeedNotifications(database: database, notifier: notifier) }

    package var hashtags: Hashtags { Hashtags(database: database) }

    /// What runs beside the requests; the jobs of one runner run one after another.
    package func jobRunners(_ logger: Logger, answered: @escaping @Sendable () -> Int) -> [JobRunner] {
        let texts = TextIndexing(database: database, packs: packs, answered: answered)
        let upkeep = AccountUpkeep(
            database: database, keys: signingKeys, tokens: tokens,
            livedMilliseconds: { [lived] in lived.milliseconds() })
        let jobs = ServerJobs(
            database: database, collection: collection, stamps: stamps, lived: lived, notifier: notifier,
            restores: restores, thinning: thinning)
        let usual = jobs.all(accounts: { [accounts] in
            try await upkeep.round()
            try await accounts.finishDeletions()
        })
        let media = MediaTidying(folder: mediaFolder, database: database, clock: clock)
        let tidying = Job("small pictures", every: 3600) { try await media.step() }
        let looks = Job("sizes of pictures in posts", every: 600) { [posts] in try await posts.looks.step() }
        // Nobody waits for what others do: a post is in the last feed within a second or two.
        let carrying = Job("posts to feeds", every: 1) { [fanOut] in try await fanOut.step() }
        let runners: [[Job]] = [usual + feedJobs, [jobs.reclaim], [texts.job], [tidying, looks], [carrying]]
        return runners.map { JobRunner($0, clock: clock, logger: logger) }
    }

    private var feedJobs: [Job] {
        [
            Job("scheduled posts", every: 5) { [posts] in try await posts.publishDue() },
            Job("ids", every: 60) { [snowflakes, database] in
                try await snowflakes.keep(in: database)
                return .done
            },
            Job("feeds that nobody reads", every: 3600) { [feedSleep] in try await feedSleep.step() },
            Job("counts of the feed", every: 86_400) { [counting] in try await counting.step() },
        ]
    }

    /// What `/metrics` tells beyond requests.
    package func gauges() async -> [PrometheusText.Gauge] {
        var gauges = [
            PrometheusText.Gauge(
                "bothy_waiting_clients", "Event streams and long polls.", Double(await notifier.count)),
            PrometheusText.Gauge(
                "bothy_feed_count_differences",
                "Posts and comments whose likes, shares or comments were counted wrong, since this process began: 0.",
                Double(counting.differences)),
            PrometheusText.Gauge("bothy_uptime_seconds", "Since this process began.", clock.uptimeSeconds()),
            PrometheusText.Gauge(
                "bothy_store_works", "1 when the database and the packs take writes, 0 when they do not.",
                await storeWorks() ? 1 : 0),
        ]
        // A disk that cannot be asked is told by `bothy_store_works`, not by a scrape that fails.
        if let usage = try? packs.usage() {
            gauges += [
                PrometheusText.Gauge("bothy_packs", "Pack files.", Double(usage.packs)),
                PrometheusText.Gauge("bothy_pack_bytes", "Bytes that packs take on the disk.", Double(usage.usedBytes)),
                PrometheusText.Gauge("bothy_disk_free_bytes", "Bytes free on the disk.", Double(usage.freeBytes)),
            ]
        }
        return gauges
    }

    private func storeWorks() async -> Bool {
        do {
            try await readiness.check()
            return true
        } catch {
            return false
        }
    }
}
