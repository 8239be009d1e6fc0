// Evaluated in Deno before a function's own code, as the first import of its main module (`child.py` writes that): the
// function serves on a port that localbase chooses, and only localbase reaches it there. The hosted platform's
// `EdgeRuntime.waitUntil` and `export default { fetch }` are here as well. Nothing is awaited at the top, for modules
// beside this one would not wait for it.

const { control, key } = JSON.parse(Deno.env.get("LOCALBASE_DENO"));
Deno.env.delete("LOCALBASE_DENO");

const KEY = "x-localbase-function-key";
const NO_SERVER_MS = 5000;
const parent = Deno.connect({ hostname: "127.0.0.1", port: control });
const background = new Set();
let serving = false;

function wrapped(handler) {
  return (request, info) => {
    // Another program on this machine may find the port; its requests have not passed the gateway, which checks tokens.
    if (request.headers.get(KEY) !== key) return new Response(null, { status: 403 });
    const headers = new Headers(request.headers);
    headers.delete(KEY);
    // The request itself stays: a copy would not be Deno's own to upgrade, and costs its signal.
    Object.defineProperty(request, "headers", { value: headers });
    return handler(request, info);
  };
}

const originalServe = Deno.serve;

function serve(...given) {
  if (serving) throw new Deno.errors.AddrInUse("the function serves already");
  const first = given[0];
  const handler = typeof first === "function" ? first : (given[1] ?? first?.handler);
  if (typeof handler !== "function") throw new TypeError("Deno.serve needs a handler");
  serving = true;
  const own = typeof first === "function" ? (given[1] ?? {}) : (first ?? {});
  const options = { hostname: "127.0.0.1", port: 0 };
  if (own.onError) options.onError = own.onError;
  if (own.signal) options.signal = own.signal;
  options.onListen = async (address) => {
    own.onListen?.(address);
    await (await parent).write(new TextEncoder().encode(`${key} ${address.port}\n`));
  };
  return originalServe(options, wrapped(handler));
}

Object.defineProperty(Deno, "serve", { value: serve, configurable: true, enumerable: true, writable: true });

globalThis.EdgeRuntime = {
  waitUntil(work) {
    const watched = Promise.resolve(work).catch((error) => console.error("waitUntil:", error));
    background.add(watched);
    watched.finally(() => background.delete(watched));
    return work;
  },
};

async function endWithParent() {
  try {
    const link = await parent;
    while ((await link.read(new Uint8Array(1))) !== null);
  } catch {
    // The process beside this one has ended abruptly: so does this one.
  }
  while (background.size) await Promise.allSettled([...background]);
  Deno.exit(0);
}

// With the function's module, once it is evaluated.
export function loaded(module) {
  if (!serving && typeof module.default?.fetch === "function") {
    serve((request, info) => module.default.fetch(request, info));
  }
  setTimeout(() => {
    if (serving) return;
    console.error("The function neither calls Deno.serve nor exports default { fetch }.");
    Deno.exit(78);
  }, NO_SERVER_MS);
}

endWithParent();
