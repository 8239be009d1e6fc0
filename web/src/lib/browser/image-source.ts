/** A stored base64 picture as an <img> source. Rows hold it with or without its `data:` prefix. */
export function imageSource(data: string | null | undefined): string | undefined {
  if (!data) return undefined;
  if (/^(data:|https?:|blob:)/.test(data)) return data;
  return `data:${mediaType(data)};base64,${data}`;
}

// The first bytes tell the format: PNG, JPEG, GIF and WebP each begin with a fixed base64 text.
function mediaType(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lG")) return "image/gif";
  if (base64.startsWith("UklG")) return "image/webp";
  return "image/png";
}
