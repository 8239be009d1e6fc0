/**
 * Writes prerendered HTML beside the client's empty page. Static pages (dist/index.html, dist/<page>/index.html)
 * contain their text and styles, and load a small script after `load`. The app's public screens
 * (dist/<screen>/index.html) are complete until the client renders them again; those of share links are what the
 * function design-page answers with. dist/app.html, for all other screens, shows a loading state. dist/paths.json lists the patterns of all
 * addresses that have a page; any other is answered with dist/404.html.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type ResolvedConfig } from "vite";
import type { Prerendered, Prerendering } from "../src/app/prerendered";
import { tomlTables } from "./toml-plugin";

const ENTRY = "src/prerender.tsx";
/** Inside node_modules, so that the bundle finds its packages; removed after its one use. */
const SCRATCH = "../node_modules/.cache/teesmith-prerender";

/** Replaces the landing page for visitors who may have a session: most of them go to the dashboard. */
const WAITING = '<div class="session-loading" role="status">Loading...</div>';

/** How long the script waits for the first pictures: about their loading time on a slow phone. */
const PICTURES_MS = 2000;

interface Programs {
  /** The whole client, and its static imports. */
  app: string;
  appImports: string[];
  /** The script that hydrates a static page. */
  still: string;
  css: string;
  /** The file of the module with this name's ending, and its static imports. */
  filesOf: (module: string) => string[];
}

export function prerenderPages(): Plugin {
  let config: ResolvedConfig;
  let programs: Programs | undefined;
  return {
    name: "teesmith-prerender",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle(_options, bundle) {
      const entry = (name: string) => {
        const entry = Object.values(bundle).find(
          (file) => file.type === "chunk" && file.isEntry && file.name === name,
        );
        if (entry?.type !== "chunk") throw new Error(`The build has no entry called ${name}`);
        return entry;
      };
      const app = entry("app");
      const sheets = [...(app.viteMetadata?.importedCss ?? [])].map((name) => bundle[name]);
      programs = {
        app: `/${app.fileName}`,
        appImports: app.imports.map((file) => `/${file}`),
        still: `/${entry("static").fileName}`,
        css: sheets.map((sheet) => (sheet?.type === "asset" ? sheet.source : "")).join(""),
        filesOf(module) {
          const chunk = Object.values(bundle).find(
            (file) => file.type === "chunk" && file.facadeModuleId?.endsWith(module),
          );
          if (chunk?.type !== "chunk") throw new Error(`The build has no chunk for ${module}`);
          return [chunk.fileName, ...chunk.imports].map((file) => `/${file}`);
        },
      };
    },
    async closeBundle() {
      if (!programs) return;
      const dist = join(config.root, config.build.outDir);
      const shell = readFileSync(join(dist, "index.html"), "utf8");
      const { pages, offline, screens, paths, waiting } = await prerender(config);
      const write = (path: string, html: string) => {
        mkdirSync(dirname(join(dist, path)), { recursive: true });
        writeFileSync(join(dist, path), html);
      };
      for (const page of pages)
        write(page.file ?? `${page.path}/index.html`, still(shell, page, programs));
      const kept = bare(shell, offline, programs);
      write(`${offline.path}/index.html`, kept);
      const worker = readFileSync(join(dist, "sw.js"), "utf8");
      const version = createHash("sha256").update(kept).digest("hex").slice(0, 12);
      write("sw.js", worker.replace('"VERSION"', `"${version}"`));
      for (const screen of screens)
        write(
          screen.file ?? `${screen.path}/index.html`,
          live(describe(shell, screen), screen, programs),
        );
      write("app.html", live(shell, { html: waiting }, programs));
      write("paths.json", JSON.stringify(paths));
    },
  };
}

async function prerender(config: ResolvedConfig): Promise<Prerendering> {
  const outDir = join(config.root, SCRATCH);
  await build({
    root: config.root,
    configFile: false,
    logLevel: "warn",
    plugins: [react(), tomlTables()],
    resolve: { alias: config.resolve.alias },
    build: {
      ssr: ENTRY,
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      target: "es2022",
      assetsInlineLimit: 0,
    },
  });
  const file = readdirSync(outDir).find((name) => /^prerender\.m?js$/.test(name));
  const built: { prerender: () => Promise<Prerendering> } = await import(
    pathToFileURL(join(outDir, file ?? "prerender.js")).href
  );
  const prerendered = await built.prerender();
  rmSync(outDir, { recursive: true });
  return prerendered;
}

/** The shell with a page's title, description, address and data. */
function describe(shell: string, page: Prerendered): string {
  const title = titleOf(page.html);
  const heading = title.replace(/<\/?title[^>]*>/g, "");
  return shell
    .replace(/\s*<title>.*?<\/title>/s, () => `\n    ${title}`)
    .replace(
      /(<meta\s+name="description"\s+content=")[^"]*/s,
      (_all, tag) => tag + page.description,
    )
    .replace(/(<meta property="og:title"\s+content=")[^"]*/s, (_all, tag) => tag + heading)
    .replace(
      /(<meta\s+property="og:description"\s+content=")[^"]*/s,
      (_all, tag) => tag + page.description,
    )
    .replace(/(<meta property="og:image" content=")[^"]*/, (all, tag) =>
      page.picture ? tag + page.picture.address : all,
    )
    .replace(/(<meta property="og:image:alt" content=")[^"]*/, (all, tag) =>
      page.picture ? tag + page.picture.alt : all,
    )
    .replace("</head>", () => `${identity(page)}</head>`);
}

function identity({ path, canonical, data, hidden, metas = {} }: Prerendered): string {
  const address = `SITE_URL${path}`;
  const lines = [];
  if (hidden) lines.push(NOINDEX);
  for (const [name, content] of Object.entries(metas))
    lines.push(`<meta name="${name}" content="${content}" />`);
  if (canonical) {
    lines.push(`<link rel="canonical" href="${address}" />`);
    lines.push(`<meta property="og:url" content="${address}" />`);
  }
  if (data) {
    const text = JSON.stringify(data).replaceAll("<", "\\u003c");
    lines.push(`<script type="application/ld+json">${text}</script>`);
  }
  return lines.map((line) => `  ${line}\n  `).join("");
}

function titleOf(html: string): string {
  return /<title>.*?<\/title>/s.exec(html)?.[0] ?? "";
}

/** A static page: its text and styles, with the boot script as the only script. */
function still(shell: string, page: Prerendered, programs: Programs): string {
  const waiting = page.path === "/" ? WAITING : "";
  return withoutProgram(inlineStyles(describe(shell, page), programs))
    .replace(/\s*<noscript>.*?<\/noscript>/s, "")
    .replace(
      ROOT,
      () =>
        `${waiting}<div id="root">${page.html.replace(titleOf(page.html), "")}</div>\n    <script>${bootScript(programs)}</script>`,
    );
}

/** A machine without a network may have a shop of its own, whose return no event tells. */
const AGAIN = `(() => {
  const again = () => location.reload();
  const ask = () => fetch("/", { method: "HEAD", cache: "no-store" }).then(again, wait);
  const wait = () => setTimeout(ask, 3000);
  addEventListener("online", again);
  document.querySelector("button").addEventListener("click", again);
  if (location.pathname !== "/offline") wait();
})();`;

/** The page of a browser without a network, which loads what was wanted when that is back. */
function bare(shell: string, page: Prerendered, programs: Programs): string {
  return withoutProgram(inlineStyles(describe(shell, page), programs))
    .replace(/\s*<link rel="preload"[^>]*>/g, "")
    .replace("</head>", `  ${NOINDEX}\n  </head>`)
    .replace(
      ROOT,
      () =>
        `<div id="root">${page.html.replace(titleOf(page.html), "")}</div>\n    <script>${AGAIN}</script>`,
    );
}

/** A screen of the client, shown while the script loads; a placeholder for visitors who may have a session. */
function live(
  shell: string,
  { html, preload = [], early }: Pick<Prerendered, "html" | "preload" | "early">,
  programs: Programs,
): string {
  const files = new Set(preload.flatMap(programs.filesOf));
  const drawn = inlineStyles(shell, programs);
  const root = `${WAITING}<div id="root">${html.replace(titleOf(html), "")}</div>`;
  if (early) {
    const script = earlyScript(early, [...files], programs);
    return withoutProgram(drawn).replace(ROOT, () => `${root}\n    <script>${script}</script>`);
  }
  const links = [...files]
    .filter((file) => !shell.includes(file))
    .map((file) => `  <link rel="modulepreload" crossorigin href="${file}">\n  `);
  // The page is rendered already: load its text and fonts before the script.
  return drawn
    .replace("</head>", () => `${links.join("")}</head>`)
    .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
    .replace(ROOT, () => root);
}

function withoutProgram(html: string): string {
  return html
    .replace(/\s*<link rel="modulepreload"[^>]*>/g, "")
    .replace(/\s*<script type="module"[^>]*><\/script>/g, "");
}

/**
 * Loads the page's first pictures before its script: data, pictures and script come from three hosts in general, so
 * browser priorities cannot order them on a slow connection. The script does not wait for a slow response, nor after
 * the visitor's first input, nor when a session may exist: only the script can show a signed-in page.
 */
function earlyScript(early: string, preload: string[], { app, appImports }: Programs): string {
  const files = [...new Set([...appImports, app, ...preload])];
  return `(() => {
  let started = false;
  const start = async () => {
    if (started) return;
    started = true;
    for (const href of ${JSON.stringify(files)}) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
    // One after the other: between them the page answers.
    for (const file of ${JSON.stringify([...appImports, app])}) await import(file);
  };
  if (document.documentElement.dataset.session) return void start();
  for (const name of ["pointerdown", "keydown", "focusin"]) addEventListener(name, start, { once: true, passive: true });
  setTimeout(start, ${PICTURES_MS});
  const paintFirst = () => requestAnimationFrame(() => setTimeout(start));
  ${early}.then(paintFirst, paintFirst);
})();`;
}

const NOINDEX = '<meta name="robots" content="noindex" />';
const ROOT = '<div id="root"></div>';

function inlineStyles(shell: string, { css }: Programs): string {
  return shell
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, "")
    .replace("</head>", () => `  <style>${css}</style>\n  </head>`);
}

/**
 * Loads the whole client at once for visitors who may have a session. All others load the page's own small script after
 * `load`, and the client's files as soon as the pointer or focus reaches a link that needs them.
 */
function bootScript({ app, appImports, still }: Programs): string {
  return `(() => {
  if (document.documentElement.dataset.session) { import(${JSON.stringify(app)}); return; }
  addEventListener("load", () => import(${JSON.stringify(still)}));
  const files = ${JSON.stringify([app, ...appImports])};
  const fetchAhead = (event) => {
    const link = event.target.closest?.("a[href^='/']");
    if (!link || !files.length) return;
    for (const href of files.splice(0)) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
  };
  for (const name of ["pointerover", "focusin", "touchstart"]) addEventListener(name, fetchAhead, { passive: true });
})();`;
}
