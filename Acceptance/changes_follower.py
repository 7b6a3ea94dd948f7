"""A client of `GET /v1/changes` that knows what openapi.yaml says of it, and nothing else."""

DERIVED = ("downloadUrl", "trashed")  # signed anew with each answer; worked out from `trashedAt` and the folders above


class Follower:
    """A copy of a drive, made from the pages alone: the newest state of each id, and nothing for an id that was removed.

    Where things lie, and which of them are in the trash, is worked out when it is asked for.
    """

    def __init__(self, api, random):
        self.api, self.random = api, random
        self.files, self.cursor = {}, None

    def pull(self, pages=None):
        """Takes so many pages, or all there are, each of a random length.

        Returns whether there is nothing more for now."""
        while pages is None or pages > 0:
            query = {"limit": self.random.choice([1, 2, 3, 5, 20, 1000])}
            if self.cursor is not None:
                query["cursor"] = self.cursor
            page = self.api.call("GET", "/v1/changes", params=query, expect=200).json()
            for change in page["changes"]:
                self._take(change)
            self.cursor = page["cursor"]
            if not page["hasMore"]:
                return True
            pages = None if pages is None else pages - 1
        return False

    def _take(self, change):
        if change["kind"] != "file":
            return
        if change["removed"]:
            self.files.pop(change["id"], None)  # of this id alone; it may never have been told of
        else:
            self.files[change["id"]] = {key: value for key, value in change["file"].items() if key not in DERIVED}

    def tree(self):
        """What is reached from the root: by path, with what each thing is, and whether it is in the trash.

        A folder that was not told of yet, or is removed already, hides what lies in it."""
        inside = {}
        for file in self.files.values():
            inside.setdefault(file.get("parentId"), []).append(file)
        found = {}

        def visit(folder, path, in_trash):
            for file in inside.get(folder["id"], []):
                trashed = in_trash or "trashedAt" in file
                place = f"{path}/{file['name']}"
                found[file["id"]] = (place, file["version"], file.get("checksum"), trashed)
                visit(file, place, trashed)

        for root in inside.get(None, []):
            visit(root, "", False)
        return found
