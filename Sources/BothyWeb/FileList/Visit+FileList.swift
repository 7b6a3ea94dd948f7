import BothyClient
import BothyPresentation

extension Visit {
    /// The folder of the address, in the order that the person wants it in.
    func fileList() async -> FileListStateHolder {
        let account = person
        return await FileListStateHolder(
            id, order: order, folders: account.folders, actions: account.actions, words: words, clock: clock)
    }
}
