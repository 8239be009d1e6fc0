/**
 * A design's picture goes to Storage first, and its row names it then: a row never names a picture that is not there. What a
 * closed page leaves without a row is swept after two days.
 */
import { beginUpload } from "../api/begin-upload";
import { insertDesign } from "../api/insert-design";
import { keepIdea } from "../api/keep-idea";
import { uploadPicture } from "../api/upload-picture";

export interface NewDesign {
  userId: string;
  name: string;
  /** Base64 PNG. */
  picture: string;
  /** Base64 JPEG. */
  thumbnail: string | null;
  selectedColors: string[];
  style: string | null;
  /** That has drawn it. */
  jobId: string | null;
}

/** An upload that was begun, so that another try goes on with it and saves no second design. */
export interface BegunUpload {
  picture: string;
  id: string;
}

interface Progress {
  begun: BegunUpload | undefined;
  onBegun: (upload: BegunUpload) => void;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
}

/** The saved design's id. */
export async function savePicture(design: NewDesign, progress: Progress): Promise<string> {
  const { userId, picture, thumbnail } = design;
  const id = progress.begun?.picture === picture ? progress.begun.id : await beginUpload(userId);
  progress.onBegun({ picture, id });
  const folder = `${userId}/${id}`;
  await Promise.all([
    uploadPicture({
      name: `${folder}/picture.png`,
      base64: picture,
      type: "image/png",
      onProgress: progress.onProgress,
    }),
    thumbnail &&
      uploadPicture({ name: `${folder}/thumbnail.jpg`, base64: thumbnail, type: "image/jpeg" }),
  ]);
  await insertDesign(id, {
    user_id: userId,
    name: design.name,
    image_url: `${folder}/picture.png`,
    selected_colors: design.selectedColors,
    style: design.style,
  });
  if (design.jobId) await keepIdea(id, design.jobId);
  return id;
}
