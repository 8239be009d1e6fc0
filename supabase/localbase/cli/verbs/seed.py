"""`seed …`."""

from __future__ import annotations

from localbase.cli.call import Call
from localbase.cli.objects.client import Address, StorageClient
from localbase.cli.objects.transfer import Transfer, run_all
from localbase.cli.terminal import say
from localbase.core.configuration import parse_size
from localbase.core.errors import UserError

# `seed buckets`: the buckets of `[storage.buckets]`, with the files of their `objects_path`, in the running stack.


def run_buckets(call: Call) -> int:
    """Makes and fills them. What is there is replaced; other buckets and objects stay."""
    project = call.project
    data = []
    with StorageClient(project) as client:
        for name, bucket in project.settings.storage.buckets.items():
            limit = parse_size(bucket.file_size_limit) if bucket.file_size_limit else None
            settings = {
                "public": bucket.public,
                "file_size_limit": limit,
                "allowed_mime_types": list(bucket.allowed_mime_types) or None,
            }
            made = client.save_bucket(name, settings)
            say(f"{'made' if made else 'updated'} {name}")
            transfers: list[Transfer] = []
            if bucket.objects_path:
                folder = (project.supabase / bucket.objects_path).resolve()
                if not folder.is_dir():
                    raise UserError(
                        f"storage.buckets.{name}.objects_path: there is no folder {folder}.",
                        "Make it, or unset the setting.",
                    )
                transfers = [
                    Transfer(path, Address(name, path.relative_to(folder).as_posix()))
                    for path in sorted(folder.rglob("*"))
                    if path.is_file()
                ]
                run_all(transfers, lambda each: _put(client, each), 1)
            data.append({"bucket": name, "made": made, "objects": len(transfers)})
    call.output.show(data, "")
    return 0


def _put(client: StorageClient, transfer: Transfer) -> None:
    assert not isinstance(transfer.source, Address)
    assert isinstance(transfer.target, Address)
    client.upload(
        transfer.source, transfer.target, content_type="", cache_control="max-age=3600", replaces=True
    )
