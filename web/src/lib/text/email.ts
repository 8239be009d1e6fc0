/** E-mail addresses by the function's rules (functions/_shared/shipping/contact.py), and as they go over the wire. */

const NAME = /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/;
/** Two hyphens there say that a label is a code, and the only such code is `xn--`. */
const LABEL = /^(?!(?!xn)..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const WRITTEN_DOMAIN = /^[\p{L}\p{M}\p{Nd}.\-・·。．｡]+$/u;
/** Of no use on the internet (RFC 6761). */
const OF_NO_SERVER = ["arpa", "invalid", "local", "localhost", "onion", "test"];
const LONGEST_NAME = 64;
const LONGEST = 254;

/** `ada@xn--bcher-kva.example` for `ada@bücher.example`; what is no address stays as it is. */
export function asciiEmail(text: string): string {
  const { name, domain } = split(text);
  return domain ? `${name}@${domain}` : text;
}

export function isEmail(text: string): boolean {
  const { name, domain } = split(text);
  const labels = domain.split(".");
  const last = labels.at(-1) ?? "";
  return (
    NAME.test(name) &&
    name.length <= LONGEST_NAME &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    /[a-z]$/.test(last) &&
    !OF_NO_SERVER.includes(last) &&
    `${name}@${domain}`.length <= LONGEST
  );
}

/** The name, and the domain in ASCII; an empty domain where there is none. */
function split(text: string): { name: string; domain: string } {
  const at = text.lastIndexOf("@");
  const written = text.slice(at + 1);
  const domain = at > 0 && WRITTEN_DOMAIN.test(written) ? asciiDomain(written) : "";
  return { name: text.slice(0, Math.max(at, 0)), domain };
}

function asciiDomain(written: string): string {
  try {
    return new URL(`https://${written}`).hostname;
  } catch {
    return "";
  }
}
