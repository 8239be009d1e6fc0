"""The built shop for static hosts: pages with their settings, and the headers that web/serve.py sends, in four forms.

`_headers` and `_redirects` are Netlify's and Cloudflare Pages'; `vercel.json` and `firebase.json` belong beside the
folder, `nginx.conf` into nginx's `http` block. The headers come from web/serve.py, the addresses from the build; any
other address is answered with 404 and the page 404.html, which all hosts but nginx do by its name.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.environment import ROOT
from web import serve

DIST = ROOT / "web" / "dist"
# for an address that has no file, and for share links
FALLBACK = "app.html"
SHARED = "shared-design.html"
_HEX = "[0-9a-fA-F]"
SHARED_PATH = f"/design/{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
# the pattern of share links, for hosts without expressions in their rules
_SHARED_PATTERN = re.compile(r"/design/:\w+")
_PAGE_PATHS = "/((?!assets/)[^.]*)"
_FILE_PATHS = "/((?!assets/).*[.].*)"


@dataclass(frozen=True)
class Site:
    """The parts of all four forms."""

    policy: str
    # patterns (`/order-details/:orderId`) of the addresses that have no file of their own, those with a name last
    addresses: tuple[str, ...]

    @property
    def everywhere(self) -> dict[str, str]:
        return {**serve.SECURITY_HEADERS, "content-security-policy": self.policy}

    @property
    def pattern(self) -> str:
        """One expression for all addresses."""
        return f"^{serve.expression(self.addresses)}$"


def write_static_site(target: Path, settings: serve.Settings, dist: Path = DIST) -> None:
    """Writes `web/` with everything that is served, and the hosts' files beside it. Made anew."""
    shutil.rmtree(target, ignore_errors=True)
    folder = target / "web"
    shutil.copytree(dist, folder, ignore=shutil.ignore_patterns("*.stamp", serve.PATHS))
    pages = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.html"))}
    patterns = json.loads((dist / serve.PATHS).read_text("utf-8"))
    addresses = (each for each in patterns if not (folder / each.lstrip("/") / "index.html").is_file())
    site = Site(
        serve.policy_of(pages.values(), settings), tuple(sorted(addresses, key=lambda each: ":" in each))
    )
    for path, html in pages.items():
        page = serve.Page(html, settings, site.policy)
        path.write_bytes(page.body)
        path.with_name(f"{path.name}.gz").write_bytes(page.packed)
    (folder / "_headers").write_text(headers_file(site))
    (folder / "_redirects").write_text(redirects_file(site))
    (target / "vercel.json").write_text(_as_json(vercel(site)))
    (target / "firebase.json").write_text(_as_json(firebase(site)))
    (target / "nginx.conf").write_text(nginx(site))


def headers_file(site: Site) -> str:
    """Without a cache for pages: these hosts join headers of all rules that match, and revalidate pages anyway."""
    return "".join(
        f"{path}\n" + "".join(f"  {name}: {value}\n" for name, value in headers.items())
        for path, headers in {
            "/*": site.everywhere,
            "/assets/*": {"cache-control": serve.ASSET_CACHE},
        }.items()
    )


def redirects_file(site: Site) -> str:
    """The first rule that matches counts, and files go before any. Cloudflare tells a path from one with a slash."""
    targets = {each: SHARED if _SHARED_PATTERN.fullmatch(each) else FALLBACK for each in site.addresses}
    return "".join(f"{path}{slash} /{page} 200\n" for path, page in targets.items() for slash in ("", "/"))


def vercel(site: Site) -> Mapping[str, object]:
    caches = {
        "/assets/(.*)": serve.ASSET_CACHE,
        _PAGE_PATHS: serve.PAGE_CACHE,
        _FILE_PATHS: serve.FILE_CACHE,
    }
    return {
        "outputDirectory": "web",
        "cleanUrls": True,
        "trailingSlash": False,
        "headers": [
            {"source": "/(.*)", "headers": _listed(site.everywhere)},
            *(
                {"source": source, "headers": _listed({"cache-control": value})}
                for source, value in caches.items()
            ),
        ],
        "rewrites": [
            {"source": SHARED_PATH.replace("/design/", "/design/:id(") + ")", "destination": f"/{SHARED}"},
            *({"source": path, "destination": f"/{FALLBACK}"} for path in site.addresses),
        ],
    }


def firebase(site: Site) -> Mapping[str, object]:
    caches = {
        "^/assets/.*$": serve.ASSET_CACHE,
        "^/[^.]*$": serve.PAGE_CACHE,
        "^/[^/]*[.][^/]*$": serve.FILE_CACHE,
    }
    return {
        "hosting": {
            "public": "web",
            "cleanUrls": True,
            "trailingSlash": False,
            "headers": [
                {"source": "**", "headers": _listed(site.everywhere)},
                *(
                    {"regex": regex, "headers": _listed({"cache-control": value})}
                    for regex, value in caches.items()
                ),
            ],
            "rewrites": [
                {"regex": f"^{SHARED_PATH}$", "destination": f"/{SHARED}"},
                {"regex": site.pattern, "destination": f"/{FALLBACK}"},
            ],
        }
    }


def nginx(site: Site) -> str:
    """One server, for the `http` block; certificates and names are the owner's."""
    security = "\n".join(
        f'    add_header {name} "{value}" always;' for name, value in serve.SECURITY_HEADERS.items()
    )
    return f"""# The shop, for nginx's http block: copy the folder web/ to the root named below.
# No add_header may stand in a location: nginx would drop all of the server's there.
map $uri $teesmith_cache {{
    default         "{serve.FILE_CACHE}";
    ~^/+assets/     "{serve.ASSET_CACHE}";
    ~[.]html$       "{serve.PAGE_CACHE}";
}}
map $uri $teesmith_policy {{
    default         "";
    ~[.]html$       "{site.policy}";
}}
server {{
    listen 80;
    root /var/www/teesmith/web;
    charset utf-8;
    gzip_static on;
    gzip_vary on;
{security}
    add_header cache-control $teesmith_cache always;
    add_header content-security-policy $teesmith_policy always;
    error_page 404 /404.html;

    location / {{
        try_files $uri $uri/index.html =404;
    }}
    location ~* "^{SHARED_PATH}/?$" {{
        try_files /{SHARED} =404;
    }}
    location ~* "{site.pattern}" {{
        try_files /{FALLBACK} =404;
    }}
    location /assets/ {{
        try_files $uri =404;
    }}
    # pages are served by their paths alone
    location ~ "[.](html|br|gz)$|/_(headers|redirects)$" {{
        internal;
    }}
    # a name with a dot is a file
    location ~ "[.][^/]*$" {{
        try_files $uri =404;
    }}
}}
"""


def _listed(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"key": name, "value": value} for name, value in headers.items()]


def _as_json(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2) + "\n"
