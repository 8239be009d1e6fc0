/**
 * Few files instead of a hundred: a phone asks for six at a time, and each round takes a round trip. Modules that pages
 * share go into four, by who needs them: React; the frame of every page, static ones included; the app's core; and what
 * several of the app's screens share. A screen's own modules stay its chunk, and large libraries that few use stay apart.
 */

interface ModuleInfo {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

interface Context {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

const REACT = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/;
/** Icons, class names and slots: small, and used nearly everywhere. */
const SMALL =
  /[\\/]node_modules[\\/](lucide-react|clsx|tailwind-merge|class-variance-authority)[\\/]/;
const OURS = /[\\/]web[\\/]src[\\/](app|components|lib)[\\/]/;

export function chunkNames(root: string) {
  let frame: Set<string> | undefined;
  let core: Set<string> | undefined;
  return (id: string, context: Context): string | null => {
    const infoOf = (each: string) => context.getModuleInfo(each);
    frame ??= reach(`${root}src/static.tsx`, infoOf, { dynamic: true });
    core ??= reach(`${root}src/main.tsx`, infoOf, { dynamic: false });
    if (REACT.test(id)) return "react";
    if (/[\\/]features[\\/]/.test(id)) return null;
    if (frame.has(id)) return "frame";
    if (core.has(id)) return "core";
    return OURS.test(id) || SMALL.test(id) ? "shared" : null;
  };
}

/** A module and all that it imports, at once or (`dynamic`) later as well. */
function reach(
  entry: string,
  infoOf: Context["getModuleInfo"],
  { dynamic }: { dynamic: boolean },
): Set<string> {
  const found = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const info = infoOf(id);
    open.push(...(info?.importedIds ?? []), ...((dynamic && info?.dynamicallyImportedIds) || []));
  }
  return found;
}
