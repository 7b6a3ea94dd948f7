/// The line that stands before a post; NULL where there is none.
let migration025Warnings = Migration(
    number: 25,
    name: "warnings",
    statements: ["posts", "post_versions", "scheduled_posts"].map {
        "ALTER TABLE \($0) ADD COLUMN content_warning TEXT"
    })
