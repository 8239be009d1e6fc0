/** Has the browser store a file that a script has got. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // In a later task: the browser begins to read it in this one.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
