import { createClient } from "@supabase/supabase-js";

// The address and the publishable key of every local project.
const supabase = createClient(
  import.meta.env.VITE_SUPABASE_URL ?? "http://127.0.0.1:54321",
  import.meta.env.VITE_SUPABASE_KEY ?? "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH",
);

const list = document.querySelector("#list");
const state = document.querySelector("#state");
const form = document.querySelector("#add");
/** The tasks that are shown, by their ids. */
const tasks = new Map();

function show(message) {
  state.textContent = message;
}

function row(task) {
  const item = document.createElement("li");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.id = `task-${task.id}`;
  box.checked = task.done;
  box.addEventListener("change", () => save(task.id, { done: box.checked }));
  const label = document.createElement("label");
  label.htmlFor = box.id;
  label.textContent = task.title;
  const remove = document.createElement("button");
  remove.type = "button";
  remove.textContent = "Delete";
  remove.setAttribute("aria-label", `Delete ${task.title}`);
  remove.addEventListener("click", () => discard(task.id));
  item.append(box, label, remove);
  return item;
}

function draw() {
  const sorted = [...tasks.values()].sort((one, other) => one.id - other.id);
  list.replaceChildren(...sorted.map(row));
  const open = sorted.filter((task) => !task.done).length;
  show(sorted.length === 0 ? "Nothing to do." : `${open} of ${sorted.length} to do.`);
}

/** Runs a request; what it refuses is shown, and the list is as the server has it. */
async function attempt(request) {
  const { error } = await request;
  if (error) {
    show(`That did not work: ${error.message}`);
    await load();
  }
  return !error;
}

const save = (id, change) => attempt(supabase.from("todos").update(change).eq("id", id));
const discard = (id) => attempt(supabase.from("todos").delete().eq("id", id));

async function load() {
  const { data, error } = await supabase.from("todos").select("id, title, done");
  if (error) {
    show(`The list could not be loaded: ${error.message}`);
    return;
  }
  tasks.clear();
  for (const task of data) {
    tasks.set(task.id, task);
  }
  draw();
}

function follow() {
  supabase
    .channel("todos")
    .on("postgres_changes", { event: "*", schema: "public", table: "todos" }, (change) => {
      if (change.eventType === "DELETE") {
        tasks.delete(change.old.id);
      } else {
        tasks.set(change.new.id, change.new);
      }
      draw();
    })
    .subscribe((status) => {
      // Also after a lost connection: what was missed meanwhile is in the table.
      if (status === "SUBSCRIBED") {
        load();
      } else if (status === "CHANNEL_ERROR" || status === "TIMED_OUT") {
        show("The connection was lost; it is being made again …");
      }
    });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const title = form.title.value.trim();
  if (title && (await attempt(supabase.from("todos").insert({ title })))) {
    form.reset();
  }
});

const { data } = await supabase.auth.getSession();
if (!data.session) {
  const { error } = await supabase.auth.signInAnonymously();
  if (error) {
    show(`Signing in failed: ${error.message}`);
  }
}
follow();
