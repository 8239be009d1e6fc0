"""The built shop for static hosts: pages with their settings, and the headers that web/serve.py sends, in four forms.

`_headers` and `_redirects` are Netlify's and Cloudflare Pages'; `vercel.json` and `firebase.json` belong beside the
folder, `nginx.conf` into nginx's `http` block. The headers come from web/serve.py, the addresses from the build; any
other address is answered with 404 and the page 404.html, which all hosts but nginx do by its name.

What depends on the database (serve.FUNCTION_PAGE) each host asks the function design-page for: by a rule, Cloudflare
by a program, `_worker.js`. Firebase calls no other host than a service of Google Cloud Run.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from deploy.environment import ROOT
from web import serve

DIST = ROOT / "web" / "dist"
# for an address that has no file
FALLBACK = "app.html"
_HEX = "[0-9a-fA-F]"
_ID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
# by how they begin, as serve.STAND_INS
_PAGES = {
    "design": f"/design/{_ID}(?:/share[.]jpg)?",
    "discover": "/discover",
    "creator": f"/creator/{_ID}",
}
FUNCTION_PATH = f"(?:{'|'.join(_PAGES.values())}|/sitemap(?:/[0-9]+)?[.]xml)"
# the same for hosts without expressions in their rules
_FUNCTION_PATTERNS = (
    *("/sitemap.xml", "/sitemap/:file", "/design/:id/share.jpg", "/design/:id"),
    *("/discover", "/creator/:id"),
)
_PAGE_PATHS = "/((?!assets/)[^.]*)"
_FILE_PATHS = "/((?!assets/).*[.].*)"


@dataclass(frozen=True)
class Site:
    """The parts of all four forms."""

    security: Mapping[str, str]
    policy: str
    # patterns (`/order-details/:orderId`) of the addresses that have no file of their own, those with a name last
    addresses: tuple[str, ...]
    # where the functions are
    functions: str
    # of the services on Google Cloud, where that is known
    region: str = ""

    @property
    def function(self) -> str:
        return f"{self.functions}/{serve.FUNCTION}"

    @property
    def everywhere(self) -> dict[str, str]:
        return {**self.security, "content-security-policy": self.policy}

    @property
    def pattern(self) -> str:
        """One expression for all addresses."""
        return f"^{serve.expression(self.addresses)}$"


def write_static_site(target: Path, settings: serve.Settings, dist: Path = DIST, *, region: str = "") -> None:
    """Writes `web/` with everything that is served, and the hosts' files beside it. Made anew."""
    shutil.rmtree(target, ignore_errors=True)
    folder = target / "web"
    shutil.copytree(dist, folder, ignore=shutil.ignore_patterns("*.stamp", serve.PATHS))
    pages = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.html"))}
    patterns = json.loads((dist / serve.PATHS).read_text("utf-8"))
    addresses = (
        each
        for each in patterns
        if each not in serve.FUNCTION_PATTERNS and not (folder / each.lstrip("/") / "index.html").is_file()
    )
    site = Site(
        serve.security_headers(settings.site_url),
        serve.policy_of(pages.values(), settings),
        tuple(sorted(addresses, key=lambda each: ":" in each)),
        settings.functions_url.rstrip("/"),
        region,
    )
    for path, html in pages.items():
        page = serve.Page(html, settings, site.policy)
        path.write_bytes(page.body)
        path.with_name(f"{path.name}.gz").write_bytes(page.packed)
    robots = folder / serve.ROBOTS
    robots.write_text(serve.fill_robots(robots.read_text("utf-8"), settings))
    (folder / "_headers").write_text(headers_file(site))
    (folder / "_redirects").write_text(redirects_file(site))
    (folder / "_worker.js").write_text(worker(site))
    (folder / "_routes.json").write_text(_as_json(WORKER_ROUTES))
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
    """The first rule that matches counts, and files go before any. Cloudflare tells a path from one with a slash.

    The last rules are Netlify's alone: Cloudflare takes no other host, and has its program.
    """
    pages = [f"{path}{slash} /{FALLBACK} 200\n" for path in site.addresses for slash in ("", "/")]
    functions = [
        f"{path}{sent} {site.function}?path={path}{passed} 200\n"
        for path in _FUNCTION_PATTERNS
        for sent, passed in ((" key=:key", "&key=:key"), ("", ""))
    ]
    return "".join(pages + functions)


# Cloudflare Pages calls the program for these alone, and counts each call.
WORKER_ROUTES = {
    "version": 1,
    "include": ["/design/*", "/discover*", "/creator/*", "/sitemap*"],
    "exclude": [],
}


def worker(site: Site) -> str:
    """Cloudflare's program: the function's answer, or the host's own page where there is none."""
    # the host serves a page by its path, without the file's name
    stand_ins = {
        f"/{start}": f"/{name.removesuffix('.html').removesuffix('/index')}"
        for start, name in serve.STAND_INS.items()
    }
    return f"""const PAGE = new RegExp({json.dumps(f"^{FUNCTION_PATH}/?$")});
const FUNCTION = {json.dumps(site.function)};
const STAND_INS = {json.dumps(stand_ins)};

export default {{
  async fetch(request, env) {{
    const url = new URL(request.url);
    if (!PAGE.test(url.pathname)) return env.ASSETS.fetch(request);
    const target = new URL(FUNCTION);
    target.searchParams.set("path", url.pathname);
    const key = url.searchParams.get("key");
    if (key) target.searchParams.set("key", key);
    const known = request.headers.get("if-none-match");
    const answer = await fetch(target, {{
      headers: known ? {{ "if-none-match": known }} : {{}},
      signal: AbortSignal.timeout({int(serve.FUNCTION_SECONDS * 1000)}),
      cf: {{ cacheEverything: true }},
    }}).catch(() => null);
    if (answer && answer.status < 500) return answer;
    const standIn = Object.entries(STAND_INS).find(([start]) => url.pathname.startsWith(start));
    return standIn ? env.ASSETS.fetch(new URL(standIn[1], url)) : new Response("Try again later", {{ status: 503 }});
  }},
}};
"""


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
            *(
                {
                    "source": each.replace(":id", f":id({_ID})").replace(":file", ":file([0-9]+[.]xml)"),
                    "destination": f"{site.function}?path={each}",
                }
                for each in _FUNCTION_PATTERNS
            ),
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
                *firebase_function(site),
                {"regex": site.pattern, "destination": f"/{FALLBACK}"},
            ],
        }
    }


def firebase_function(site: Site) -> list[Mapping[str, object]]:
    """Without a region there is no service to name: each address gets the page that asks for itself."""
    if not site.region:
        return [
            {"regex": f"^{_PAGES[start]}/?$", "destination": f"/{name}"}
            for start, name in serve.STAND_INS.items()
        ]
    alone = site.functions.endswith(".cloudfunctions.net")
    service = {"serviceId": serve.FUNCTION if alone else "functions", "region": site.region}
    return [{"regex": f"^{FUNCTION_PATH}/?$", "run": service}]


def nginx(site: Site) -> str:
    """One server, for the `http` block; certificates and names are the owner's."""
    target = urlsplit(site.function)
    hidden = "\n".join(f"        proxy_hide_header {name};" for name in site.security)
    stand_ins = "\n".join(f"    ~*^/{start} /{name};" for start, name in serve.STAND_INS.items())
    security = "\n".join(f'    add_header {name} "{value}" always;' for name, value in site.security.items())
    return f"""# The shop, for nginx's http block: copy the folder web/ to the root named below.
# No add_header may stand in a location: nginx would drop all of the server's there.
# What the function design-page answers has a cache and a policy of its own.
map $uri $teesmith_cache {{
    default         "{serve.FILE_CACHE}";
    {target.path}    "";
    ~^/+assets/     "{serve.ASSET_CACHE}";
    ~[.]html$       "{serve.PAGE_CACHE}";
}}
map $uri $teesmith_policy {{
    default         "";
    ~[.]html$       "{site.policy}";
}}
# Where the function cannot be reached.
map $request_uri $teesmith_stand_in {{
    default         "";
{stand_ins}
}}
server {{
    listen 80;
    root /var/www/teesmith/web;
    charset utf-8;
    gzip on;
    gzip_proxied any;
    gzip_static on;
    gzip_vary on;
{security}
    add_header cache-control $teesmith_cache always;
    add_header content-security-policy $teesmith_policy always;
    error_page 404 /404.html;

    location / {{
        try_files $uri $uri/index.html =404;
    }}
    location ~* "^{FUNCTION_PATH}/?$" {{
        rewrite ^(.*)$ {target.path}?path=$1 break;
        proxy_pass {target.scheme}://{target.netloc};
        proxy_set_header Host {target.netloc};
        proxy_ssl_server_name on;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_set_header Authorization "";
        proxy_set_header Cookie "";
        proxy_read_timeout {int(serve.FUNCTION_SECONDS)}s;
{hidden}
        error_page 502 504 = @stand_in;
    }}
    location @stand_in {{
        try_files $teesmith_stand_in =503;
    }}
    location ~* "{site.pattern}" {{
        try_files /{FALLBACK} =404;
    }}
    location /assets/ {{
        try_files $uri =404;
    }}
    # pages are served by their paths alone
    location ~ "[.](html|br|gz)$|/_(headers|redirects|worker[.]js|routes[.]json)$" {{
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
