import BothyClient
import BothySync

/// What a home shows of itself on screens, over the parts that work in this process.
package struct HomeScreens: Sendable {
    package let screens: DeviceScreens
    /// Fetches what is kept on this device: told whenever something may be new on the server.
    package let offline: HomeOfflineFiles
    /// Tells what there is to tell, once it is started.
    package let notices: HomeNotices

    /// - Parameters:
    ///   - desktop: what shows notices.
    ///   - keeping: who keeps folders in sync here.
    ///   - way: how the way to the server stands.
    ///   - changed: called when something else may hold work back now.
    package init(
        home: DeviceHome, environment: ClientEnvironment, desktop: any Desktop, keeping: FolderKeeping,
        way: @escaping @Sendable () async -> HomeStanding.Way, changed: @escaping @Sendable () async -> Void
    ) {
        let (clock, names) = (environment.clock, DeviceNames(home.account, clock: environment.clock))
        offline = HomeOfflineFiles(
            replica: home.replica, settings: home.settings, directory: home.directory, environment: environment)
        let transfers = HomeTransfers(home: home, clock: clock) { await way().failure?.isNetworks ?? false }
        let folders = BoundFolders(home: home, keeping: keeping, clock: clock, way: way)
        let conflicts = JoinedConflicts(
            [
                HomeConflicts(replica: home.replica) { await names.name(of: $0) },
                BoundConflicts(home: home, keeping: keeping, names: names, disk: environment.disk),
            ], replica: home.replica, clock: clock)
        notices = HomeNotices(
            home: home, clock: clock, desktop: desktop, transfers: transfers, conflicts: conflicts, folders: folders,
            way: way)
        screens = DeviceScreens(
            transfers: transfers, conflicts: conflicts, offline: offline, folders: folders,
            standing: HomeStanding(
                home: home, clock: clock, transfers: transfers, conflicts: conflicts, folders: folders, way: way,
                changed: changed), notices: notices, rests: HomeRests(home: home, changed: changed))
    }
}
