/// What a person does at a device's replica, in the app or the command line: it is written into the journal, shown at once,
/// and sent when there is a way to the server. Numbers pick among what is shown when it happens.
package enum Intent: Equatable, Sendable {
    case makeFolder(parent: Int, name: Int)
    case put(folder: Int, name: Int, content: Content)
    /// New content of a file, made from the version that is shown.
    case revise(file: Int, content: Content)
    case rename(thing: Int, name: Int)
    case move(thing: Int, folder: Int)
    case trash(thing: Int)
    case restore(Int)
    case star(thing: Int, Bool)
    case hide(thing: Int, Bool)
}
