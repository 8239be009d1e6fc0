// The official JavaScript client, outside a browser, on any Supabase address: prints one JSON object of what it saw.
// node client.mjs URL KEY EMAIL PASSWORD
import { createClient } from "@supabase/supabase-js";

const [url, key, email, password] = process.argv.slice(2);
const client = createClient(url, key, {
  auth: { persistSession: false, autoRefreshToken: false },
  // Realtime is not used here; older Node has no WebSocket for the client to find.
  realtime: { transport: class {} },
});
const seen = {};

const page = await client
  .from("product_variants")
  .select("id,name,color_hex,printify_variant_id", { count: "exact" })
  .ilike("name", "black - %")
  .order("name")
  .range(0, 2);
seen.page = { status: page.status, count: page.count, names: page.data.map((row) => row.name) };

const head = await client.from("product_variants").select("*", { count: "exact", head: true });
seen.head = { status: head.status, count: head.count, data: head.data };

const none = await client.from("product_variants").select("id").eq("name", "none").maybeSingle();
seen.none = { data: none.data, error: none.error };

const many = await client.from("product_variants").select("id").single();
seen.many = { status: many.status, code: many.error.code };

const wrong = await client.from("product_variant").select("id");
seen.wrong = { status: wrong.status, code: wrong.error.code, hint: wrong.error.hint };

const anonymous = await client.from("designs").insert({ name: "x" });
seen.anonymous = { status: anonymous.status, code: anonymous.error.code };

const refused = await client.auth.signInWithPassword({ email, password: "wrong password" });
seen.refused = { code: refused.error.code, status: refused.error.status };

const { data: signedIn } = await client.auth.signInWithPassword({ email, password });
seen.user = signedIn.user.email;

const made = await client
  .from("designs")
  .insert({ user_id: signedIn.user.id, name: "From the client", image_data: "aGk=", thumbnail_data: "aGk=", selected_colors: [] })
  .select("id,name,printify_product_id")
  .single();
seen.made = { status: made.status, name: made.data.name };

const renamed = await client.from("designs").update({ name: "Renamed" }).eq("id", made.data.id).select("name");
seen.renamed = renamed.data;

const embedded = await client.from("profiles").select("id,username,is_admin").eq("id", signedIn.user.id).single();
seen.profile = { id: embedded.data.id === signedIn.user.id, admin: embedded.data.is_admin };

const called = await client.rpc("get_design_creator_public_name", { creator_user_id: signedIn.user.id });
seen.called = { status: called.status, data: called.data };

const gone = await client.from("designs").delete().eq("id", made.data.id);
seen.gone = { status: gone.status, error: gone.error };

const renewed = await client.auth.refreshSession();
seen.renewed = renewed.data.session.refresh_token !== signedIn.session.refresh_token;

const zip = await client.functions.invoke("lookup-zip-code", { body: { zipCode: "90210" } });
seen.zip = zip.data;
const badZip = await client.functions.invoke("lookup-zip-code", { body: { zipCode: "no" } });
seen.badZip = { name: badZip.error.name, body: await badZip.error.context.json() };

const { data: video } = client.storage.from("videos").getPublicUrl("demo-video.mp4");
const piece = await fetch(video.publicUrl, { headers: { range: "bytes=4-7" } });
seen.video = { status: piece.status, type: piece.headers.get("content-type"), text: await piece.text() };

await client.auth.signOut();
seen.signedOut = (await client.auth.getSession()).data.session;

process.stdout.write(JSON.stringify(seen));
