// The inside of the card element: formats and checks the three fields, reports only their state (never their
// content) to the shop's page, and sends the card straight to the payment API on request.
(() => {
  "use strict";

  const api = location.href.replace(/\/elements\/card.*$/, "");
  const id = location.hash.slice(1);
  const field = (name) => document.getElementById(name);
  const fields = { number: field("number"), expiry: field("expiry"), cvc: field("cvc") };
  const order = [fields.number, fields.expiry, fields.cvc];
  const touched = new Set();
  let shop = null;

  const BRANDS = [
    { name: "amex", pattern: /^3[47]/, length: [15], cvc: 4, groups: [4, 6, 5] },
    { name: "diners", pattern: /^3(?:0[0-5]|[689])/, length: [14], cvc: 3, groups: [4, 6, 4] },
    { name: "mastercard", pattern: /^(?:5[1-5]|2[2-7])/, length: [16], cvc: 3, groups: [4, 4, 4, 4] },
    { name: "discover", pattern: /^6(?:011|4|5)/, length: [16], cvc: 3, groups: [4, 4, 4, 4] },
    { name: "jcb", pattern: /^35/, length: [16], cvc: 3, groups: [4, 4, 4, 4] },
    { name: "unionpay", pattern: /^62/, length: [16, 17, 18, 19], cvc: 3, groups: [4, 4, 4, 4, 3] },
    { name: "visa", pattern: /^4/, length: [16], cvc: 3, groups: [4, 4, 4, 4] },
  ];
  const UNKNOWN = { name: "unknown", length: [16], cvc: 4, groups: [4, 4, 4, 4] };

  const card = (mark) => `<rect x=".5" y=".5" width="27" height="18" rx="3" fill="#fff" stroke="#d8d2c8"/>${mark}`;
  const word = (text, colour, size) =>
    `<text x="14" y="12.6" text-anchor="middle" font-family="Arial,sans-serif" font-size="${size}" font-weight="800"
      font-style="italic" fill="${colour}">${text}</text>`;
  const ICONS = {
    visa: card(word("VISA", "#1434cb", 8.5)),
    mastercard: card('<circle cx="11" cy="9.5" r="5.5" fill="#eb001b"/><circle cx="17" cy="9.5" r="5.5" fill="#f79e1b" fill-opacity=".88"/>'),
    amex: '<rect width="28" height="19" rx="3" fill="#016fd0"/>' + word("AMEX", "#fff", 7.5),
    discover: card('<circle cx="19" cy="9.5" r="4.5" fill="#f58220"/>' + word("D", "#1b1714", 9)),
    diners: card('<circle cx="14" cy="9.5" r="6" fill="#0069aa"/><rect x="12.6" y="5" width="2.8" height="9" fill="#fff"/>'),
    jcb: card(word("JCB", "#0e4c96", 8.5)),
    unionpay: card(word("UP", "#d10429", 9)),
    unknown: card('<rect x="1" y="4.5" width="26" height="3.2" fill="#8b8378"/><rect x="4" y="11.5" width="8" height="2" rx="1" fill="#cfc8bd"/>'),
    error: '<rect width="28" height="19" rx="3" fill="#c8261a"/>' + word("!", "#fff", 11),
  };

  const digits = (text) => text.replace(/\D/g, "");
  const brandOf = (number) => BRANDS.find((brand) => brand.pattern.test(number)) ?? UNKNOWN;
  const luhn = (number) =>
    [...number].reverse().reduce((sum, digit, place) => {
      const value = Number(digit) * (place % 2 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0) % 10 === 0;

  function grouped(number, brand) {
    const parts = [];
    let from = 0;
    for (const size of brand.groups) {
      if (from >= number.length) break;
      parts.push(number.slice(from, from + size));
      from += size;
    }
    return parts.join(" ");
  }

  // Each check gives null (nothing to say yet), "complete", or an error of Stripe's own code and words.
  const error = (code, message) => ({ type: "validation_error", code, message });
  function checkNumber() {
    const number = digits(fields.number.value);
    const longest = Math.max(...brandOf(number).length);
    if (number.length >= longest || brandOf(number).length.includes(number.length)) {
      if (luhn(number)) return "complete";
      if (number.length >= longest) return error("invalid_number", "Your card number is invalid.");
    }
    return touched.has("number") ? error("incomplete_number", "Your card number is incomplete.") : null;
  }
  function checkExpiry() {
    const value = digits(fields.expiry.value);
    if (value.length < 4) {
      return touched.has("expiry") ? error("incomplete_expiry", "Your card’s expiration date is incomplete.") : null;
    }
    const month = Number(value.slice(0, 2));
    const year = 2000 + Number(value.slice(2));
    const today = new Date();
    if (year < today.getFullYear()) return error("invalid_expiry_year_past", "Your card’s expiration year is in the past.");
    if (year > today.getFullYear() + 50) return error("invalid_expiry_year", "Your card’s expiration year is invalid.");
    if (year === today.getFullYear() && month < today.getMonth() + 1) {
      return error("invalid_expiry_month_past", "Your card’s expiration date is in the past.");
    }
    return "complete";
  }
  function checkCvc() {
    const brand = brandOf(digits(fields.number.value));
    const length = digits(fields.cvc.value).length;
    if (brand === UNKNOWN ? length >= 3 : length === brand.cvc) return "complete";
    return touched.has("cvc") ? error("incomplete_cvc", "Your card’s security code is incomplete.") : null;
  }
  const checks = { number: checkNumber, expiry: checkExpiry, cvc: checkCvc };

  function state() {
    const results = Object.fromEntries(Object.keys(checks).map((name) => [name, checks[name]()]));
    const problems = Object.values(results).filter((result) => result && result !== "complete");
    return {
      results,
      complete: Object.values(results).every((result) => result === "complete"),
      empty: order.every((input) => input.value === ""),
      error: problems[0],
      brand: brandOf(digits(fields.number.value)).name,
    };
  }

  function post(type, more = {}) {
    // Before the shop's page has sent its origin, only "ready" is posted: it contains no card data.
    parent.postMessage({ teesmithStripe: type, id, ...more }, shop ?? "*");
  }

  let last = "";
  function refresh() {
    const { results, complete, empty, error: problem, brand } = state();
    for (const [name, input] of Object.entries(fields)) {
      const wrong = Boolean(results[name]) && results[name] !== "complete";
      input.classList.toggle("invalid", wrong);
      input.setAttribute("aria-invalid", String(wrong));
    }
    const icon = results.number && results.number !== "complete" ? "error" : brand;
    field("brand").innerHTML = ICONS[icon];
    const change = { complete, empty, error: problem, brand };
    const seen = JSON.stringify(change);
    if (seen !== last && shop) {
      last = seen;
      post("change", { change });
    }
  }

  function formatNumber() {
    const brand = brandOf(digits(fields.number.value));
    const number = digits(fields.number.value).slice(0, Math.max(...brand.length));
    retype(fields.number, grouped(number, brand));
    fields.cvc.placeholder = "CVC";
    if (number.length === Math.max(...brand.length) && luhn(number)) advance(fields.number);
  }
  function formatExpiry(event) {
    let value = digits(fields.expiry.value).slice(0, 4);
    if (/^[2-9]/.test(value)) value = `0${value}`.slice(0, 4);
    if (Number(value.slice(0, 2)) > 12) value = `0${value}`.slice(0, 4);
    if (value.startsWith("00")) value = "0";
    const deleting = event.inputType?.startsWith("delete");
    const shown = value.length > 2 || (value.length === 2 && !deleting) ? `${value.slice(0, 2)} / ${value.slice(2)}` : value;
    retype(fields.expiry, shown);
    if (value.length === 4 && checkExpiry() === "complete") advance(fields.expiry);
  }
  function formatCvc() {
    const brand = brandOf(digits(fields.number.value));
    retype(fields.cvc, digits(fields.cvc.value).slice(0, brand.cvc));
  }

  // Rewrites a field without losing the caret: it stays behind the same digit.
  function retype(input, text) {
    if (input.value === text) return;
    const before = digits(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
    const atEnd = input.selectionStart === input.value.length;
    input.value = text;
    let at = text.length;
    if (!atEnd) {
      let seen = 0;
      at = 0;
      while (at < text.length && seen < before) if (/\d/.test(text[at++])) seen += 1;
    }
    if (document.activeElement === input) input.setSelectionRange(at, at);
  }

  function advance(input) {
    const atEnd = document.activeElement === input && input.selectionStart === input.value.length;
    if (atEnd) order[order.indexOf(input) + 1]?.focus();
  }

  fields.number.addEventListener("input", formatNumber);
  fields.expiry.addEventListener("input", formatExpiry);
  fields.cvc.addEventListener("input", formatCvc);
  for (const [name, input] of Object.entries(fields)) {
    input.addEventListener("input", refresh);
    input.addEventListener("focus", () => post("focus"));
    input.addEventListener("blur", () => {
      if (input.value !== "") touched.add(name);
      refresh();
      post("blur");
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") post("escape");
      if (event.key === "Backspace" && input.value === "") {
        event.preventDefault();
        order[order.indexOf(input) - 1]?.focus();
      }
    });
  }
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());

  const CSS = ["color", "fontFamily", "fontSize", "fontWeight", "fontStyle", "letterSpacing", "lineHeight", "textTransform"];
  function restyle(options) {
    const base = options.style?.base ?? {};
    for (const name of CSS) document.body.style[name] = base[name] ?? { fontSize: "16px", fontFamily: "system-ui, sans-serif" }[name] ?? "";
    const root = document.documentElement.style;
    root.setProperty("--placeholder", base["::placeholder"]?.color ?? "#757680");
    root.setProperty("--invalid", options.style?.invalid?.color ?? "#c8261a");
    field("brand").style.display = options.hideIcon ? "none" : "";
    for (const input of order) input.disabled = Boolean(options.disabled);
  }

  function flatten(value, name, into) {
    if (value === null || value === undefined || value === "") return;
    if (typeof value === "object") for (const [key, child] of Object.entries(value)) flatten(child, `${name}[${key}]`, into);
    else into.append(name, String(value));
  }

  async function tokenise({ endpoint, key, data }) {
    for (const name of Object.keys(fields)) touched.add(name);
    refresh();
    const { complete, error: problem } = state();
    if (!complete) return { error: problem };
    const expiry = digits(fields.expiry.value);
    const form = new URLSearchParams();
    const details = {
      number: digits(fields.number.value),
      exp_month: expiry.slice(0, 2),
      exp_year: expiry.slice(2),
      cvc: digits(fields.cvc.value),
    };
    flatten(details, "card", form);
    for (const [name, value] of Object.entries(data)) flatten(value, name, form);
    form.append("key", key);
    try {
      const reply = await fetch(`${api}/v1/${endpoint}`, { method: "POST", body: form });
      return await reply.json();
    } catch {
      return { error: { type: "api_connection_error", message: "We are experiencing issues connecting to our payments provider. Please try again." } };
    }
  }

  addEventListener("message", async (event) => {
    if (event.source !== parent || event.data?.id !== id) return;
    if (shop !== null && event.origin !== shop) return;
    const { teesmithStripe: type, options, request, call } = event.data;
    if (type === "options") {
      shop = event.origin;
      restyle(options);
      refresh();
    } else if (type === "focus") {
      (order.find((input) => input.value === "") ?? fields.number).focus();
    } else if (type === "blur") {
      document.activeElement?.blur();
    } else if (type === "clear") {
      for (const input of order) input.value = "";
      touched.clear();
      refresh();
    } else if (type === "tokenise") {
      post("response", { request, response: await tokenise(call) });
    }
  });

  field("brand").innerHTML = ICONS.unknown;
  post("ready");
})();
