/**
 * Few files instead of a hundred: a phone asks for six at a time, and each round takes a round trip. Modules that pages
 * share go into four, by what needs them: React; the frame of every page, static ones included; the app's core; and what
 * several of the app's screens share. A screen's own modules stay its chunk, and large libraries that few use stay apart.
 */

interface ModuleInfo {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

interface Context {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

type Name = (id: string, context: Context) => string | null;

interface Group {
  debugName: string;
  name: Name;
  /** The higher takes its modules first: a group takes what its modules import along. */
  priority: number;
  minShareCount: number;
}

const REACT = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/;
/** Icons, class names and slots: small, and used nearly everywhere. */
const SMALL =
  /[\\/]node_modules[\\/](lucide-react|clsx|tailwind-merge|class-variance-authority)[\\/]/;
/** Of the library below, the one part that every button needs. */
const SLOT = /[\\/]@radix-ui[\\/]react-(slot|compose-refs)[\\/]/;
/** Names every component of the library, of which each importer uses one: what it imports says nothing. */
const BARREL = /[\\/]node_modules[\\/]radix-ui[\\/]/;
const OURS = /[\\/]web[\\/]src[\\/](app|components|lib)[\\/]/;
const FEATURE = /[\\/]web[\\/]src[\\/]features[\\/]/;

export function chunkGroups(root: string): Group[] {
  const inFrame = reachable(`${root}src/static.tsx`, { dynamic: true });
  const inCore = reachable(`${root}src/main.tsx`, { dynamic: false });
  const tests: [string, (id: string, context: Context) => boolean][] = [
    ["react", (id) => REACT.test(id)],
    ["frame", (id, context) => !FEATURE.test(id) && (inFrame(id, context) || SLOT.test(id))],
    ["core", (id, context) => !FEATURE.test(id) && inCore(id, context)],
    ["shared", (id) => OURS.test(id) || SMALL.test(id)],
  ];
  return tests.map(([debugName, test], index) => ({
    debugName,
    name: (id, context) => (test(id, context) ? debugName : null),
    priority: tests.length - index,
    minShareCount: debugName === "react" ? 1 : 2,
  }));
}

/** Whether a module is the entry, or imported by it at once or (`dynamic`) later as well. */
function reachable(entry: string, { dynamic }: { dynamic: boolean }) {
  let found: Set<string> | undefined;
  return (id: string, context: Context): boolean => {
    found ??= reach(entry, context, dynamic);
    return found.has(id);
  };
}

function reach(entry: string, context: Context, dynamic: boolean): Set<string> {
  const found = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id) || BARREL.test(id)) continue;
    found.add(id);
    const info = context.getModuleInfo(id);
    open.push(...(info?.importedIds ?? []), ...((dynamic && info?.dynamicallyImportedIds) || []));
  }
  return found;
}
