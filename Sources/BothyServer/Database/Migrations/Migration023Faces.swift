/// The pictures that people choose of themselves.
let migration023Faces = Migration(
    number: 23,
    name: "faces",
    statements: [
        // The row of `attachments` that holds it; NULL where initials are drawn.
        "ALTER TABLE accounts ADD COLUMN picture_id BIGINT"
    ])
