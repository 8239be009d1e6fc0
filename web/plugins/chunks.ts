/**
 * Few chunks instead of a hundred: a phone loads six at a time, and each batch costs a round trip. Shared modules go
 * into few chunks: React; the layout of every page, static ones included; the app's core; what a shared design's page needs; toasts, dialogs, payment and
 * forms, which a page without them does not load; and what else several screens share. A screen's own modules are its
 * own chunk. Large libraries that few screens use are separate chunks.
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
  /** The group with the higher priority takes its modules first, with their imports. */
  priority: number;
  minShareCount: number;
}

const REACT = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/;
/** Icons, class names and slots: small, and used nearly everywhere. */
const SMALL = /[\\/]node_modules[\\/](lucide-react|clsx|class-variance-authority)[\\/]/;
/** Of the library below, the one part that every button needs. */
const SLOT = /[\\/]@radix-ui[\\/]react-(slot|compose-refs)[\\/]/;
/** Names every component of the library, of which each importer uses one: what it imports says nothing. */
const BARREL = /[\\/]node_modules[\\/]radix-ui[\\/]/;
const TOASTS = /[\\/]node_modules[\\/]sonner[\\/]/;
const DIALOGS =
  /[\\/]components[\\/]ui[\\/](alert-)?dialog\.tsx$|[\\/](@radix-ui[\\/]react-(alert-)?dialog|react-remove-scroll)[\\/]/;
const PAYMENT =
  /[\\/]node_modules[\\/](@stripe|prop-types)[\\/]|[\\/](card-field|stripe)\.tsx?$|[\\/]order-complete[\\/]/;
const FORMS =
  /[\\/]components[\\/]ui[\\/]field\.tsx$|[\\/]lib[\\/](drafts[\\/]use-drafts|text[\\/]visible-text)\.ts$/;
const ORDERS = /[\\/](components|shop)[\\/]orders?[\\/]/;
const OURS = /[\\/]web[\\/]src[\\/](app|components|lib)[\\/]/;
const FEATURE = /[\\/]web[\\/]src[\\/]features[\\/]/;

export function chunkGroups(root: string): Group[] {
  const inFrame = reachable(`${root}src/static.tsx`, { dynamic: true });
  const inCore = reachable(`${root}src/main.tsx`, { dynamic: false });
  const inPublic = reachable(`${root}src/features/shared-design/shared-design-page.tsx`, {
    dynamic: false,
  });
  const tests: [string, (id: string, context: Context) => boolean][] = [
    ["react", (id) => REACT.test(id)],
    ["frame", (id, context) => !FEATURE.test(id) && (inFrame(id, context) || SLOT.test(id))],
    ["core", (id, context) => !FEATURE.test(id) && inCore(id, context)],
    ["public", (id, context) => !FEATURE.test(id) && !DIALOGS.test(id) && inPublic(id, context)],
    ["toasts", (id) => TOASTS.test(id)],
    ["dialogs", (id) => DIALOGS.test(id)],
    ["payment", (id) => PAYMENT.test(id)],
    ["forms", (id) => FORMS.test(id)],
    ["orders", (id) => ORDERS.test(id)],
    ["shared", (id) => OURS.test(id) || SMALL.test(id)],
  ];
  return tests.map(([debugName, test], index) => ({
    debugName,
    name: (id, context) => (test(id, context) ? debugName : null),
    priority: tests.length - index,
    minShareCount: debugName === "react" || debugName === "toasts" ? 1 : 2,
  }));
}

/** Whether static imports (with `dynamic`, all imports) lead from the entry to a module. */
function reachable(entry: string, { dynamic }: { dynamic: boolean }) {
  let modules: Set<string> | undefined;
  return (id: string, context: Context): boolean => {
    modules ??= reach(entry, context, dynamic);
    return modules.has(id);
  };
}

function reach(entry: string, context: Context, dynamic: boolean): Set<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id) || BARREL.test(id)) continue;
    reached.add(id);
    const info = context.getModuleInfo(id);
    open.push(...(info?.importedIds ?? []), ...((dynamic && info?.dynamicallyImportedIds) || []));
  }
  return reached;
}
