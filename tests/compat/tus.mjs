// The TUS protocol's own client against `/upload/resumable`: node tests/compat/tus.mjs URL TOKEN BUCKET NAME
import { Upload } from "tus-js-client";

const [url, token, bucket, name] = process.argv.slice(2);
const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, place) => place % 251));
const said = { progress: 0, errors: [] };

function upload(options) {
  return new Promise((resolve) => {
    const made = new Upload(content, {
      endpoint: `${url}/storage/v1/upload/resumable`,
      retryDelays: [0, 100, 500],
      headers: { authorization: `Bearer ${token}`, "x-upsert": "false" },
      uploadDataDuringCreation: true,
      metadata: { bucketName: bucket, objectName: name, contentType: "application/x-test", cacheControl: "30" },
      chunkSize: 1_000_000,
      onError: (error) => resolve({ error: error.message.slice(0, 300), upload: made }),
      onSuccess: () => resolve({ error: null, upload: made }),
      onProgress: () => {
        said.progress += 1;
      },
      ...options,
    });
    made.start();
  });
}

// A first turn that its client breaks off, a second that goes on where it ended.
let address = "";
await new Promise((resolve) => {
  const first = new Upload(content, {
    endpoint: `${url}/storage/v1/upload/resumable`,
    headers: { authorization: `Bearer ${token}` },
    metadata: { bucketName: bucket, objectName: name, contentType: "application/x-test", cacheControl: "30" },
    chunkSize: 1_000_000,
    onChunkComplete: () => {
      address = first.url;
      first.abort().then(resolve);
    },
  });
  first.start();
});
const resumed = await upload({ uploadUrl: address });
const again = await upload({});
const ended = await new Promise((resolve) => {
  const third = new Upload(content, {
    endpoint: `${url}/storage/v1/upload/resumable`,
    headers: { authorization: `Bearer ${token}` },
    metadata: { bucketName: bucket, objectName: `${name}.ended` },
    chunkSize: 1_000_000,
    onChunkComplete: () => third.abort(true).then(() => resolve(third.url)),
  });
  third.start();
});
const gone = await fetch(ended, {
  method: "HEAD",
  headers: { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0" },
});
const read = await fetch(`${url}/storage/v1/object/authenticated/${bucket}/${name}`, {
  headers: { authorization: `Bearer ${token}` },
});
const bytes = Buffer.from(await read.arrayBuffer());
console.log(
  JSON.stringify({
    resumed: resumed.error,
    again: again.error,
    gone: gone.status,
    same: bytes.equals(content),
    kind: read.headers.get("content-type"),
    progress: said.progress > 0,
  }),
);
