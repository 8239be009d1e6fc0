"""Files of one's own, and links to them that end. `pip install supabase`, then `python share.py --help`.

The account is that of `SHARE_EMAIL` and `SHARE_PASSWORD`; it is made at the first call.
"""

from __future__ import annotations

import argparse
import mimetypes
import os
import sys
from pathlib import Path

from storage3.exceptions import StorageApiError
from storage3.types import FileOptions
from supabase_auth.errors import AuthApiError

from supabase import Client, create_client

# The address and the publishable key of every local project.
URL = os.environ.get("SUPABASE_URL", "http://127.0.0.1:54321")
KEY = os.environ.get("SUPABASE_KEY", "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH")


class Share:
    """The folder of the account that is signed in."""

    def __init__(self, client: Client, user_id: str) -> None:
        self._bucket = client.storage.from_("files")
        self._folder = user_id

    def put(self, path: Path) -> str:
        """Stores a file under its name, in the place of an older one. Returns the name."""
        mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        options: FileOptions = {"content-type": mime, "upsert": "true"}
        self._bucket.upload(f"{self._folder}/{path.name}", path.read_bytes(), options)
        return path.name

    def names(self) -> list[str]:
        """The names of all files."""
        return [entry["name"] for entry in self._bucket.list(self._folder)]

    def link(self, name: str, minutes: int) -> str:
        """An address that gives the file to all who have it, for so many minutes."""
        return str(self._bucket.create_signed_url(f"{self._folder}/{name}", minutes * 60)["signedURL"])

    def remove(self, name: str) -> bool:
        """Deletes a file. Returns whether there was one."""
        return bool(self._bucket.remove([f"{self._folder}/{name}"]))


def sign_in(email: str, password: str) -> Share:
    """Signs in, with a new account where there is none."""
    client = create_client(URL, KEY)
    try:
        session = client.auth.sign_in_with_password({"email": email, "password": password})
    except AuthApiError as error:
        if error.code != "invalid_credentials":
            raise
        session = client.auth.sign_up({"email": email, "password": password})
    if session.user is None or session.session is None:
        sys.exit("error: confirm the address first: a mail is on its way.")
    return Share(client, session.user.id)


def main() -> None:
    """Runs one command."""
    parser = argparse.ArgumentParser(description="Files of one's own, and links to them that end.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("put", help="store a file").add_argument("path", type=Path)
    verbs.add_parser("list", help="show what is stored")
    link = verbs.add_parser("link", help="an address of a file for others")
    link.add_argument("name")
    link.add_argument("--minutes", type=int, default=60)
    verbs.add_parser("remove", help="delete a file").add_argument("name")
    options = parser.parse_args()
    try:
        share = sign_in(os.environ["SHARE_EMAIL"], os.environ["SHARE_PASSWORD"])
        if options.verb == "put":
            print("stored", share.put(options.path))
        elif options.verb == "list":
            print("\n".join(share.names()) or "nothing yet")
        elif options.verb == "link":
            print(share.link(options.name, options.minutes))
        else:
            print("deleted" if share.remove(options.name) else "there is no such file")
    except KeyError as error:
        sys.exit(f"error: set {error.args[0]} first.")
    except (AuthApiError, StorageApiError, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
