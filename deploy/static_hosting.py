"""The built shop for static hosts: pages with their settings, and the headers that web/serve.py sends, in four forms.

`_headers` and `_redirects` are Netlify's and Cloudflare Pages'; `vercel.json` and `firebase.json` belong beside the
folder, `nginx.conf` into nginx's `http` block. Every table of headers and paths comes from web/serve.py.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.environment import ROOT
from web import serve

DIST = ROOT / "web" / "dist"
# for a path that is no file, and for share links
FALLBACK = "app.html"
SHARED = "shared-design.html"
_HEX = "[0-9a-fA-F]"
SHARED_PATH = f"/design/{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
# pages below /design that are no share links, for hosts without patterns in their rules
STUDIO = ("/design/ai-generator", "/design/from-picture")
_PAGE_PATHS = "/((?!assets/)[^.]*)"
_FILE_PATHS = "/((?!assets/).*[.].*)"


@dataclass(frozen=True)
class Site:
    """The parts of all four forms."""

    policy: str

    @property
    def everywhere(self) -> dict[str, str]:
        return {**serve.SECURITY_HEADERS, "content-security-policy": self.policy}


def write_static_site(target: Path, settings: serve.Settings, dist: Path = DIST) -> None:
    """Writes `web/` with everything that is served, and the hosts' files beside it. Made anew."""
    shutil.rmtree(target, ignore_errors=True)
    folder = target / "web"
    shutil.copytree(dist, folder, ignore=shutil.ignore_patterns("*.stamp"))
    pages = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.html"))}
    site = Site(serve.policy_of(pages.values(), settings))
    for path, html in pages.items():
        page = serve.Page(html, settings, site.policy)
        path.write_bytes(page.body)
        path.with_name(f"{path.name}.gz").write_bytes(page.packed)
    (folder / "_headers").write_text(headers_file(site))
    (folder / "_redirects").write_text(redirects_file())
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


def redirects_file() -> str:
    """The first rule that matches counts, and files go before any."""
    studio = [f"{path} /{FALLBACK} 200" for path in STUDIO]
    rules = [*studio, f"/design/:id /{SHARED} 200", "/assets/* /404 404", f"/* /{FALLBACK} 200"]
    return "\n".join([*rules, ""])


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
            {"source": _PAGE_PATHS, "destination": f"/{FALLBACK}"},
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
                {"regex": "^/[^.]*$", "destination": f"/{FALLBACK}"},
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
    add_header cache-control $teesmith_cache;
    add_header content-security-policy $teesmith_policy;

    location / {{
        try_files $uri $uri/index.html /{FALLBACK};
    }}
    location ~* "^{SHARED_PATH}/?$" {{
        try_files /{SHARED} =404;
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
