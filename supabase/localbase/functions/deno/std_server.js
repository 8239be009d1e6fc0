// Replaces `https://deno.land/std/http/server.ts`: Deno 2 no longer has its server API.
export function serve(handler, options = {}) {
  const { finished } = Deno.serve({ onError: options.onError, signal: options.signal, onListen: options.onListen }, handler);
  return finished;
}
