/** Pictures of drafts in IndexedDB, for localStorage has a few megabytes. The rules are those of text-drafts.ts. */
import { LONGEST_MS } from "./text-drafts";

const DATABASE = "teesmith-drafts";
const PICTURES = "pictures";

interface Stored {
  at: number;
  /** A data URL. */
  picture: string;
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(PICTURES);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The result of `work`; undefined where this browser keeps nothing. */
async function withPictures<T>(
  mode: IDBTransactionMode,
  work: (pictures: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  if (typeof indexedDB === "undefined") return undefined;
  try {
    const database = await open();
    try {
      return await new Promise<T>((resolve, reject) => {
        const transaction = database.transaction(PICTURES, mode);
        const request = work(transaction.objectStore(PICTURES));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  } catch (error) {
    // Forbidden or full: the form still works without its draft.
    console.warn("A draft's picture:", error);
    return undefined;
  }
}

export async function readPicture(owner: string, name: string): Promise<string | undefined> {
  const stored: Stored | undefined = await withPictures("readonly", (pictures) =>
    pictures.get([owner, name]),
  );
  return stored && Date.now() - stored.at < LONGEST_MS ? stored.picture : undefined;
}

export async function writePicture(owner: string, name: string, picture: string): Promise<void> {
  const stored: Stored = { at: Date.now(), picture };
  await withPictures("readwrite", (pictures) => pictures.put(stored, [owner, name]));
}

export async function clearPicture(owner: string, name: string): Promise<void> {
  await withPictures("readwrite", (pictures) => pictures.delete([owner, name]));
}

/** Removes everybody's pictures, but `keep`'s of the last seven days. */
export async function forgetPictures(keep?: string): Promise<void> {
  await withPictures("readwrite", (pictures) => {
    const request = pictures.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      const [owner] = cursor.key as [string, string];
      const { at } = cursor.value as Stored;
      if (owner !== keep || Date.now() - at >= LONGEST_MS) cursor.delete();
      cursor.continue();
    };
    return request;
  });
}
