/// What saving a draft comes to. Nothing that anybody typed is lost: where two have changed the same version, both stay.
enum DraftSaving: Equatable, Sendable {
    /// There is none under this id: it is this from now on.
    case begin(version: Int64)
    /// It is so already.
    case keep
    case replace(version: Int64)
    /// It was changed elsewhere meanwhile: this becomes a draft of its own.
    case copy

    /// The draft that is there.
    struct Known: Equatable, Sendable {
        var version: Int64
        /// The version that its last change was made to; 0 where it was new.
        var base: Int64
        /// Who made that.
        var editor: String?
    }

    /// - Parameters:
    ///   - base: the version that was changed; 0 for a new draft.
    ///   - isSame: what is saved is what is there.
    init(over known: Known?, base: Int64, editor: String?, isSame: Bool) {
        guard let known else {
            self = .begin(version: base + 1)
            return
        }
        // The device that saved last and did not hear the answer still writes on the version before.
        let goesOn = editor != nil && editor == known.editor && base == known.base
        if isSame {
            self = .keep
        } else {
            self = base == known.version || goesOn ? .replace(version: known.version + 1) : .copy
        }
    }
}
