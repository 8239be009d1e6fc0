// In place of `https://deno.land/std/http/server.ts`, whose servers Deno 2 no longer has.
export function serve(handler, options = {}) {
  const { finished } = Deno.serve({ onError: options.onError, signal: options.signal, onListen: options.onListen }, handler);
  return finished;
}
