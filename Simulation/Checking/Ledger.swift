import BothyContent
import BothyContract

/// What the people of a world did with contents: by it the end of a world is judged, and by nothing that an engine says.
///
/// Where it asks less than «what is wanted is there, and what was deleted stays away», a rule of the product says so:
/// - **Move against deletion.** What one person moves and another deletes stays, also where the one who moves it has
///   another version of it, or moves a folder into which it has not come yet, under whichever of its names. So is
///   renamed, on a disk that tells no case apart, what gets a new file in its place that is spelled in another case,
///   while the device has not come to an end with the deletion that took it from there.
/// - **Back from the trash.** A new version, or a person, takes a file out of the trash with the folders that it lies in
///   and all that is in them; also where somebody who has not heard of that deletes it again meanwhile, in whichever
///   version.
/// - **Linking anew.** A device that is linked anew, or for the first time, deletes nothing by what is absent on it. What
///   was moved on it is known again, except for the first time and on another disk, where it is new in its place, and except for
///   what was moved into the place of something else: that is a version of it, and comes back to where it was as well. What
///   was deleted under something that is kept apart is not deleted yet, and is absent then like all else.
/// - **Backup.** A server that is put back to a backup has again what the backup has, and no more; of versions that only
///   devices have, and those that are saved before all devices are back (of two files that change places then each is one of
///   what was in its place), the last to come is the newest, and the others are in its history; or the two are in conflict,
///   where one was written on the backup's version. What the backup lacks comes from each device, and so in each place where
///   a device has it, not on its way there; who deletes that at a replica which has not heard of the backup has deleted what
///   is gone, and not what devices bring. Nor does anybody know of a move that the backup lacks,
///   until all are back who had heard of it. Of what has one version alone nothing is lost, and once all are back, what the
///   server has then is kept, and stays deleted, as ever.
/// - **Last write wins.** Where a device is told so, of two versions the last to arrive counts, and the other, which that
///   device had not got, is in the history.
/// - **Power cut.** What was not synced to a disk is lost with its power, or what it replaced is back; what is left in a
///   file is a version of it, saved over the one before, also over one that was deleted there and not yet elsewhere, or
///   lies under the name that it had for a moment then. What the server has said yes to can be had back all the same.
/// - **One thing alone.** A folder that is empty all of a sudden, and in which one thing was agreed on, has had that
///   deleted by its person, or gets it anew, or forgets it where others have deleted it too; should it come back, it is
///   something new, beside what is in its place by then. What is written into such a folder with the content of what was in it is
///   that, moved.
package struct Ledger: Sendable {
    /// Who did something, and so has seen what was there: a person in a device's folder, at a device's replica, or at the
    /// server's own pages.
    package enum Actor: Hashable, Sendable {
        case folder(Int), replica(Int), browser
    }

    var stories: [ContentHash: Story] = [:]
    /// Passes that came to their end.
    var moment = 0
    /// How many passes each device has begun.
    var passesBegun: [Actor: Int] = [:]
    /// When each device's last pass came to its end.
    var lastPass: [Actor: Int] = [:]
    var removals: [Deed] = []
    var folderMoves: [Deed] = []
    /// Devices that have not been linked, or not since their cursors expired.
    var linking: Set<Actor> = []
    /// Those of them that have nothing by which they would know what is in their folders: what was moved there is new to them.
    var strangers: Set<Actor> = []
    /// What was done on a device since its last pass that came to its end.
    var takenSincePass: [Actor: Taken] = [:]
    /// The same since its pass that is under way began: that may not know of it.
    var takenInPass: [Actor: Taken] = [:]
    /// Places that files came to since a device's folder went away.
    var takenSinceAway: [Actor: Set<String>] = [:]
    /// Devices of which no pass has come to its end since the server was put back to a backup.
    var unreturned: Set<Actor> = []
    /// Replicas that have not heard that the server was put back.
    var unaware: Set<Actor> = []
    /// The moment of the server's backup.
    var backupMoment = 0

    package init() {}

    // MARK: Who has heard of what

    func deed(by actor: Actor, at path: String = "", to hash: ContentHash? = nil) -> Deed {
        Deed(
            actor: actor, path: Self.onAnyDisk(path), spelling: path, hash: hash,
            passesBegun: passesBegun[actor] ?? 0, arrived: actor == .browser ? moment + 1 : nil)
    }

    /// Whether somebody else's deed may not have been heard of.
    func isNews(_ deed: Deed, to actor: Actor) -> Bool {
        let heard = actor == .browser ? moment : lastPass[actor] ?? -1
        return deed.actor != actor && deed.arrived.map { $0 > heard } ?? true
    }
}
