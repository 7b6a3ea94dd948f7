import BothyClient
import BothyContract
import CShims
import Foundation

/// Putting what has arrived in its place.
extension SystemFolderDisk {
    package func install(
        _ staged: StagedFile, at path: Place, replacing expected: DiskFacts?, keep: String
    ) throws(ClientFailure) -> DiskFacts {
        try install([Installation(file: staged, place: path, replacing: expected, keep: keep)])[0].get()
    }

    package func install(_ files: [Installation]) -> [Result<DiskFacts, ClientFailure>] {
        var installed = [Result<DiskFacts, ClientFailure>]()
        var rest = files[...]
        while let parent = rest.first?.place.parent {
            let together = rest.prefix { $0.place.parent == parent }
            rest = rest.dropFirst(together.count)
            do throws(ClientFailure) {
                installed += try install(together, below: parent)
            } catch {
                installed += together.map { _ in .failure(error) }
            }
        }
        return installed
    }

    /// Puts files in one folder, which is made durable once for all of them.
    private func install(
        _ files: ArraySlice<Installation>, below parent: Place
    ) throws(ClientFailure) -> [Result<DiskFacts, ClientFailure>] {
        let staging = try privateFolder(.staging)
        let target = try opened(parent)
        // All that takes long comes before the first is seen.
        var prepared = [Result<DiskFacts, ClientFailure>]()
        for file in files {
            do throws(ClientFailure) {
                prepared.append(
                    .success(
                        try prepare(file.file, in: staging, at: file.place, in: target, replacing: file.replacing)))
            } catch {
                prepared.append(.failure(error))
            }
        }
        var placed = [Result<DiskFacts, ClientFailure>]()
        for (file, arrived) in zip(files, prepared) {
            do throws(ClientFailure) {
                placed.append(.success(try put(file, try arrived.get(), from: staging, in: target)))
            } catch {
                placed.append(.failure(error))
            }
        }
        guard isStill(target, at: parent) else {
            for (file, result) in zip(files, placed) {
                if case .success(let there) = result { takeBack(file, there, from: target, to: staging) }
            }
            return zip(files, placed).map { file, result in result.flatMap { _ in .failure(Self.changed(file.place)) } }
        }
        do throws(ClientFailure) {
            try target.sync()
        } catch {
            return placed.map { $0.flatMap { _ in .failure(error) } }
        }
        return placed
    }

    /// - Returns: what stands there now.
    private func put(
        _ file: Installation, _ arrived: DiskFacts, from staging: borrowing OpenFolder, in target: borrowing OpenFolder
    ) throws(ClientFailure) -> DiskFacts {
        let name = file.place.name.text
        let put: (there: DiskFacts?, way: Moved)
        if let expected = file.replacing {
            put = try replace(
                file.place, in: target, with: file.file.name, from: staging, expecting: expected, keep: file.keep)
        } else {
            let way = try rename(file.file.name, in: staging, to: name, in: target, path: file.place)
            put = (try target.facts(name), way)
        }
        // An edit right after the exchange is no part of what arrived: taken for that, it would never be sent.
        guard let there = put.there, put.way.hasBrought(arrived, as: there) else { return arrived }
        return there
    }

    /// What somebody has saved in its place meanwhile is theirs, and stays.
    private func takeBack(
        _ file: Installation, _ put: DiskFacts, from target: borrowing OpenFolder, to staging: borrowing OpenFolder
    ) {
        let name = file.place.name.text
        guard let there = try? target.facts(name), there.holdsTheSame(as: put) else { return }
        // What cannot be put back stays where it is; the failure that led here is told.
        _ = try? rename(name, in: target, to: file.file.name, in: staging, path: file.place)
        if file.replacing != nil {
            _ = try? rename(file.keep, in: privateFolder(.trash), to: name, in: target, path: file.place)
        }
    }

    /// Whether a folder is where it was opened. A person may have taken it away meanwhile: what was put into it since they did not see,
    /// and it goes with the folder. If it is there now, they will take away with open eyes.
    func isStill(_ folder: borrowing OpenFolder, at place: Place) -> Bool {
        guard let there = try? opened(place).facts(), let seen = try? folder.facts() else { return false }
        return there.stamp.inode == seen.stamp.inode
    }

    /// Gives a staged file its mode and time, and makes it durable, before anybody sees it.
    private func prepare(
        _ staged: StagedFile, in staging: borrowing OpenFolder, at path: Place, in target: borrowing OpenFolder,
        replacing expected: DiskFacts?
    ) throws(ClientFailure) -> DiskFacts {
        let file = try OpenFile(staged.name, in: staging, O_RDWR)
        if let expected {
            let old = try OpenFile(path.name.text, in: target)
            let there = try old.facts()
            guard there.isUntouched(since: expected) else { throw Self.changed(path) }
            guard !old.isBeingWritten else { throw ClientFailure.inUse(path) }
            let failure = bothy_copy_attributes(old.descriptor, file.descriptor)
            guard failure == 0 else { throw ClientFailure(errno: failure, path: file.path, doing: "be changed") }
            if staged.executable != there.executable { try file.setExecutable(staged.executable) }
        } else {
            try file.setMode(executable: staged.executable, creationMask: Self.creationMask)
        }
        try file.setModified(staged.modifiedAt)
        try file.sync()
        return try file.facts()
    }

    /// Exchange, look at what came out, and keep it; or put it back when it is not what was expected.
    ///
    /// - Returns: what stands at the path right after, and how it came there.
    private func replace(
        _ path: Place, in target: borrowing OpenFolder, with staged: String, from staging: borrowing OpenFolder,
        expecting expected: DiskFacts, keep: String
    ) throws(ClientFailure) -> (there: DiskFacts?, way: Moved) {
        // Before anything is exchanged: what is taken out must have a place to go to.
        let trash = try privateFolder(.trash)
        let failure = bothy_exchange(staging.descriptor, staged, target.descriptor, path.name.text)
        if [EINVAL, ENOSYS, EOPNOTSUPP, EXDEV].contains(failure) {
            // A disk that cannot exchange has a moment without the file; nothing is lost in it.
            try discard(path, expecting: expected, keep: keep)
            do throws(ClientFailure) {
                let way = try rename(staged, in: staging, to: path.name.text, in: target, path: path)
                return (try target.facts(path.name.text), way)
            } catch {
                // Where nothing has come into its place, the old one is put back; what cannot be stays in the trash.
                _ = try? rename(keep, in: trash, to: path.name.text, in: target, path: path)
                _ = try? target.sync()
                throw error
            }
        }
        guard failure == 0 else {
            if failure == ENOENT { throw Self.changed(path) }
            throw ClientFailure(errno: failure, path: absolute(path), doing: "be replaced")
        }
        guard let taken = try staging.facts(staged), taken.holdsTheSame(as: expected),
            holds(expected, staged, in: staging)
        else {
            _ = bothy_exchange(staging.descriptor, staged, target.descriptor, path.name.text)
            throw Self.changed(path)
        }
        // Who has opened it since.
        guard !isBeingWritten(staged, in: staging) else {
            _ = bothy_exchange(staging.descriptor, staged, target.descriptor, path.name.text)
            throw ClientFailure.inUse(path)
        }
        let there = try target.facts(path.name.text)
        try rename(staged, in: staging, to: keep, in: trash, path: path)
        try trash.sync()
        return (there, .renamed)
    }
}
