// Every method of the official JavaScript client's query builders, on the laboratory: prints one JSON object of what it
// saw. node builders.mjs URL KEY
import { createClient } from "@supabase/supabase-js";

const [url, key] = process.argv.slice(2);
const client = createClient(url, key, {
  auth: { persistSession: false, autoRefreshToken: false },
  // Realtime is not used here; older Node has no WebSocket for the client to find.
  realtime: { transport: class {} },
});
const books = (columns = "id") => client.from("books").select(columns).order("id");
const seen = {};
const see = async (name, request) => {
  const { data, error, status, count } = await request;
  seen[name] = { data, status, ...(error ? { error: error.code ?? error.message } : {}), ...(count === null ? {} : { count }) };
};
const ids = async (name, request) => {
  const { data, error } = await request;
  seen[name] = error ? error.message : data.map((row) => row.id);
};

// Filters.
await ids("eq", books().eq("title", "Salt"));
await ids("neq", books().neq("id", 1));
await ids("gt", books().gt("price", 10.5));
await ids("gte", books().gte("price", 10.5));
await ids("lt", books().lt("price", 7));
await ids("lte", books().lte("price", 7));
await ids("like", books().like("title", "%Land"));
await ids("likeAllOf", books().likeAllOf("title", ["%i%", "%S%"]));
await ids("likeAnyOf", books().likeAnyOf("title", ["Dry%", "Sal%"]));
await ids("ilike", books().ilike("title", "%LAND"));
await ids("ilikeAllOf", books().ilikeAllOf("title", ["%I%", "%s%"]));
await ids("ilikeAnyOf", books().ilikeAnyOf("title", ["dry%", "sal%"]));
await ids("regexMatch", books().regexMatch("title", "^S"));
await ids("regexIMatch", books().regexIMatch("title", "^s"));
await ids("is", books().is("in_print", true));
await ids("isDistinct", books().isDistinct("author_id", 1));
await ids("in", books().in("title", ["Salt", "100% Wool (a_b)"]));
await ids("notIn", books().notIn("id", [1, 2]));
await ids("contains array", client.from("authors").select("id").contains("tags", ["poet"]).order("id"));
await ids("contains json", client.from("authors").select("id").contains("profile", { awards: ["a"] }));
await ids("contains range", books().contains("published", "[2006-01-01,2006-02-01)"));
await ids("containedBy", client.from("authors").select("id").containedBy("tags", ["poet", "essayist"]).order("id"));
await ids("rangeGt", books().rangeGt("published", "[1990-01-01,1991-01-01)"));
await ids("rangeGte", books().rangeGte("published", "[2001-01-01,2002-01-01)"));
await ids("rangeLt", books().rangeLt("published", "[2011-01-01,2012-01-01)"));
await ids("rangeLte", books().rangeLte("published", "[2001-01-01,2010-01-01)"));
await ids("rangeAdjacent", books().rangeAdjacent("published", "[2010-01-01,2011-01-01)"));
await ids("overlaps", client.from("authors").select("id").overlaps("tags", ["novelist", "essayist"]).order("id"));
const biographies = () => client.from("biographies").select("id:author_id").order("author_id");
await ids("textSearch", biographies().textSearch("search", "river & water", { config: "english" }));
await ids("textSearch plain", biographies().textSearch("body", "sailed wrote", { type: "plain", config: "english" }));
await ids("textSearch phrase", biographies().textSearch("body", "running water", { type: "phrase", config: "english" }));
await ids("textSearch websearch", biographies().textSearch("body", "rivers -sailed", { type: "websearch", config: "english" }));
await ids("match", books().match({ author_id: 2, in_print: true }));
await ids("not", books().not("price", "is", null).not("id", "in", "(1,2)"));
await ids("or", books().or("id.eq.1,and(price.gt.6,price.lt.8)"));
await ids("or referenced", books("id, reviews!inner(stars)").or("stars.eq.5,stars.eq.4", { referencedTable: "reviews" }));
await ids("filter", books().filter("details->>lang", "eq", "fr"));

// Transforms and modifiers.
await see("select embedded", client.from("authors").select("id, works:books!author_id(title)").eq("id", 1)
  .order("price", { referencedTable: "works", ascending: false }).limit(1, { referencedTable: "works" }));
await ids("order nulls", client.from("books").select("id").order("price", { ascending: false, nullsFirst: true }).limit(2));
await ids("limit", books().limit(2));
await ids("range", books().range(1, 2));
await see("count", client.from("books").select("id", { count: "exact" }).range(0, 0));
await see("count planned", client.from("books").select("*", { count: "planned", head: true }).limit(0).then((response) => ({ ...response, count: typeof response.count })));
await see("count estimated", client.from("books").select("id", { count: "estimated", head: true }));
await see("single", books("title").eq("id", 3).single());
await see("single of many", books().single());
await see("maybeSingle", books().eq("id", 99).maybeSingle());
await see("maybeSingle of many", books().maybeSingle());
await see("csv", client.from("genres").select("id,name").lte("id", 2).order("id").csv());
await see("stripNulls", client.from("books").select("id,isbn").eq("id", 3).stripNulls());
const explained = await client.from("genres").select("id").eq("id", 1).explain({ format: "json", analyze: true, verbose: true, settings: true, buffers: true, wal: true });
seen.explain = explained.error?.message ?? Object.keys(explained.data[0]).includes("Plan");
await see("rollback", client.from("genres").insert({ id: 90, name: "passing" }).select("id").rollback());
await see("after rollback", client.from("genres").select("id").eq("id", 90));
await see("returns", books("title").eq("id", 3).returns());
await see("overrideTypes", books("title").eq("id", 3).overrideTypes());
seen.throwOnError = await client.from("nowhere").select("id").throwOnError().then(() => "none", (error) => error.code);
const controller = new AbortController();
setTimeout(() => controller.abort(), 100);
const aborted = await client.rpc("wait_stably", { seconds: 20 }, { get: true }).abortSignal(controller.signal).retry(false);
seen.abortSignal = aborted.error.message.includes("AbortError");
await see("setHeader", client.rpc("request_context").setHeader("x-agent", "builder").then((response) => ({ ...response, data: response.data.agent })));
await see("retry", books().eq("id", 1).retry(true));

// Writing.
await see("insert", client.from("counters").insert({ name: "js", amount: 2 }).select("name,doubled"));
await see("insert many", client.from("counters").insert([{ name: "js2" }, { name: "js3", amount: 4 }], { defaultToNull: false, count: "exact" }).select("name,amount"));
await see("insert minimal", client.from("counters").insert({ name: "js4", amount: 1 }));
await see("upsert", client.from("counters").upsert({ name: "js", amount: 9 }, { onConflict: "name" }).select("amount"));
await see("upsert ignoring", client.from("counters").upsert({ name: "js", amount: 1 }, { ignoreDuplicates: true }).select());
await see("update", client.from("counters").update({ note: "new" }, { count: "exact" }).eq("name", "js").select("note"));
await see("maxAffected", client.from("counters").update({ note: "n" }).like("name", "js%").maxAffected(1));
await see("delete", client.from("counters").delete({ count: "exact" }).like("name", "js%"));

// Functions, schemas, the document.
await see("rpc", client.rpc("add_numbers", { a: 2, b: 3 }));
await see("rpc get", client.rpc("numbers_to", { n: 3 }, { get: true }));
await see("rpc head", client.rpc("books_by", { writer: "Ben Ink" }, { head: true, count: "exact" }));
await see("rpc filtered", client.rpc("books_by", { writer: "Ben Ink" }).select("id,genres(name)").gt("price", 8).order("id").limit(1));
await see("schema", client.schema("crm").from("customers").select("email").eq("id", 1).single());
process.stdout.write(JSON.stringify(seen));
