"""Pages that search engines and link previews read, by the shop's own addresses: designs, Discover, creators.

Static hosts lead such addresses here (docs/deploy.md). Open to everyone, and it tells no more than the page itself.
"""

from __future__ import annotations

from _shared.endpoint import document
from _shared.pages.page import Page
from _shared.shop import Shop


@document(needs=("supabase",))
def design_page(path: str, key: str | None, shop: Shop) -> Page:
    return shop.pages.at(path, key)
