// storage-js as applications use it: prints one JSON object of what each method answered.
// node storage.mjs URL KEY TOKEN USER_ID SERVICE_KEY
import { StorageClient } from "@supabase/storage-js";

const [url, key, token, user, serviceKey] = process.argv.slice(2);
const client = new StorageClient(`${url}/storage/v1`, { apikey: key, authorization: `Bearer ${token}` });
const service = new StorageClient(`${url}/storage/v1`, {
  apikey: serviceKey,
  authorization: `Bearer ${serviceKey}`,
});
const seen = {};
const mark = `js-${Date.now()}`;

async function record(name, promise, shape = (data) => data) {
  const { data, error } = await promise;
  seen[name] = error ? { error: error.message, status: error.status, code: error.statusCode } : shape(data);
  return data;
}

// Buckets.
await record("createBucket", service.createBucket(mark, { public: false, fileSizeLimit: "1MB", allowedMimeTypes: ["image/*"] }));
await record("updateBucket", service.updateBucket(mark, { public: true, fileSizeLimit: 2048, allowedMimeTypes: null }));
await record("getBucket", service.getBucket(mark), (bucket) => [bucket.id, bucket.public, bucket.file_size_limit]);
await record("listBuckets", service.listBuckets({ search: mark, sortColumn: "name" }), (all) => all.map((one) => one.id === mark));
await service.from(mark).upload("a/b.txt", "x");
await record("deleteBucket full", service.deleteBucket(mark));
await record("emptyBucket", service.emptyBucket(mark));
await record("purgeBucketCache", service.purgeBucketCache(mark));
await record("deleteBucket", service.deleteBucket(mark));
await record("createBucket as user", client.createBucket("mine"));

// Objects: every kind of body.
const folder = client.from("folders");
const bytes = new Uint8Array([0, 1, 2, 255]);
const form = new FormData();
form.append("file", new Blob([bytes], { type: "text/plain" }));
const bodies = {
  text: "plain ✓",
  buffer: bytes.buffer,
  array: bytes,
  blob: new Blob([bytes], { type: "text/plain" }),
  file: new File([bytes], "f.txt", { type: "text/plain" }),
  form,
  params: new URLSearchParams({ a: "1" }),
  stream: new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  }),
};
seen.bodies = {};
for (const [kind, body] of Object.entries(bodies)) {
  const path = `${user}/${mark}/${kind}`;
  const { data, error } = await folder.upload(path, body, { contentType: "text/plain", cacheControl: "60" });
  if (error) seen.bodies[kind] = error.message;
  else {
    const read = await folder.download(data.path);
    seen.bodies[kind] = [data.fullPath === `folders/${path}`, (await read.data.arrayBuffer()).byteLength];
  }
}
const path = `${user}/${mark}/one.txt`;
await record("upload", folder.upload(path, "one", { metadata: { colour: "red" } }), (data) => [data.path === path, data.id.length]);
await record("upload again", folder.upload(path, "two"));
await record("upload upsert", folder.upload(path, "two", { upsert: true, metadata: { colour: "red" } }), (data) => data.path === path);
await record("update", folder.update(path, "three", { metadata: { colour: "blue" } }), (data) => data.path === path);
await record("info", folder.info(path), (data) => [data.name === path, data.size, data.metadata, data.contentType]);
await record("exists", folder.exists(path));
await record("exists not", folder.exists(`${path}.no`));
await record("copy", folder.copy(path, `${path}.copy`), (data) => data.path === `folders/${path}.copy`);
await record("move", folder.move(`${path}.copy`, `${path}.moved`));
await record("move to a taken name", folder.move(path, `${path}.moved`));
await record("list", folder.list(`${user}/${mark}`, { search: "one", sortBy: { column: "name", order: "desc" } }), (all) => all.map((one) => one.name));
await record("listV2", folder.listV2({ prefix: `${user}/${mark}/one`, limit: 1 }), (page) => [page.hasNext, page.objects.length, typeof page.nextCursor]);
await record("listV2 folders", folder.listV2({ prefix: `${user}/`, with_delimiter: true }), (page) => page.folders.some((one) => one.name === `${user}/${mark}/`));
const signed = await record("createSignedUrl", folder.createSignedUrl(path, 60, { download: "three.txt" }), (data) => typeof data.signedUrl);
const read = await fetch(signed.signedUrl);
seen.signed = [read.status, await read.text(), read.headers.get("content-disposition")];
await record("createSignedUrls", folder.createSignedUrls([path, "no"], 60), (all) => all.map((one) => one.error === null));
const upload = await record("createSignedUploadUrl", folder.createSignedUploadUrl(`${path}.signed`), (data) => typeof data.token);
await record("uploadToSignedUrl", folder.uploadToSignedUrl(upload.path, upload.token, "signed"), (data) => data.path === `${path}.signed`);
seen.getPublicUrl = client.from("open").getPublicUrl("a b.png", { download: true, transform: { width: 20 } }).data.publicUrl.replace(url, "");
await record("purgeCache", service.from("folders").purgeCache(path));
await record("download transformed", folder.download(path, { transform: { width: 10 } }));
const stream = await folder.download(path).asStream();
let length = 0;
for await (const chunk of stream.data) length += chunk.byteLength;
seen.stream = length;
await record("remove", folder.remove([path, `${path}.moved`, "no"]), (all) => all.map((one) => one.name === path || one.name === `${path}.moved`));
await record("download gone", folder.download(path));

// What is not served says so.
await record("analytics", service.analytics.createBucket("a"));
await record("vectors", service.vectors.createBucket("v"));
await record("getBucketLifecycle", service.getBucketLifecycle("open"));
console.log(JSON.stringify(seen));
