import BothyClient
import BothyContract

/// What becomes of something that a person does with a post, for the screen that shows the post.
struct PostInteracting {
    let posts: any PostsRepository
    let words: Words

    /// - Returns: what is said of it, and whether it was refused: then the post is as it was before.
    func perform(_ interaction: PostInteraction, with id: Int64) async -> (notice: Notice?, isRefused: Bool) {
        do {
            let isThere = try await posts.interact(interaction, with: id)
            guard interaction == .shared else { return (nil, false) }
            return (Notice(words[isThere ? .sharedNotice : .sharedLater]), false)
        } catch {
            return (words.failure(error), true)
        }
    }
}
