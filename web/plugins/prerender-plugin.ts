/**
 * Writes the static pages as finished HTML, beside the bare page in which the client draws all others:
 * dist/index.html and dist/<page>/index.html with their text, styles and a small program after `load`;
 * dist/app.html with nothing but the client.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Plugin, type ResolvedConfig } from "vite";
import type { Prerendered } from "../src/app/prerendered";

const ENTRY = "src/prerender.tsx";
/** Inside node_modules, so that the bundle finds its packages; removed after its one use. */
const SCRATCH = "../node_modules/.cache/teesmith-prerender";

/** In place of the landing page, for who may have a session: most of them are on their way to the dashboard. */
const WAITING = '<div class="session-loading" role="status">Loading...</div>';

interface Programs {
  /** The whole client, and what it imports at once. */
  app: string;
  appImports: string[];
  /** What brings a prerendered page to life. */
  still: string;
  css: string;
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
        const found = Object.values(bundle).find(
          (file) => file.type === "chunk" && file.isEntry && file.name === name,
        );
        if (found?.type !== "chunk") throw new Error(`The build has no entry called ${name}`);
        return found;
      };
      const app = entry("app");
      const sheets = [...(app.viteMetadata?.importedCss ?? [])].map((name) => bundle[name]);
      programs = {
        app: `/${app.fileName}`,
        appImports: app.imports.map((file) => `/${file}`),
        still: `/${entry("static").fileName}`,
        css: sheets.map((sheet) => (sheet?.type === "asset" ? sheet.source : "")).join(""),
      };
    },
    async closeBundle() {
      if (!programs) return;
      const dist = join(config.root, config.build.outDir);
      const shell = readFileSync(join(dist, "index.html"), "utf8");
      renameSync(join(dist, "index.html"), join(dist, "app.html"));
      for (const page of await renderPages(config)) {
        const file = join(dist, page.path, "index.html");
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, fill(shell, page, programs));
      }
    },
  };
}

async function renderPages(config: ResolvedConfig): Promise<Prerendered[]> {
  const outDir = join(config.root, SCRATCH);
  await build({
    root: config.root,
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
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
  const built: { prerender: () => Promise<Prerendered[]> } = await import(
    pathToFileURL(join(outDir, file ?? "prerender.js")).href
  );
  const pages = await built.prerender();
  rmSync(outDir, { recursive: true });
  return pages;
}

/** The shell with a page's text, title, description and styles in it, and the choice of program. */
function fill(shell: string, page: Prerendered, programs: Programs): string {
  const title = /<title>.*?<\/title>/s.exec(page.html)?.[0] ?? "";
  const heading = title.replace(/<\/?title[^>]*>/g, "");
  const body = page.html.replace(title, "");
  const waiting = page.path === "/" ? WAITING : "";
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
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, "")
    .replace(/\s*<link rel="modulepreload"[^>]*>/g, "")
    .replace(/\s*<script type="module"[^>]*><\/script>/g, "")
    .replace(/\s*<noscript>.*?<\/noscript>/s, "")
    .replace("</head>", () => `  <style>${programs.css}</style>\n  </head>`)
    .replace(
      '<div id="root"></div>',
      () => `${waiting}<div id="root">${body}</div>\n    <script>${bootScript(programs)}</script>`,
    );
}

/**
 * Who may have a session gets the whole client at once. Everybody else gets the page's own small program after
 * `load`, and the client's files as soon as the hand moves to a link that needs them.
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
