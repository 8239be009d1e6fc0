// A stand-in for Stripe.js with the card element: `Stripe(publishableKey)` as documented at
// https://docs.stripe.com/js. Card details live in a frame of the emulator's origin.
(() => {
  "use strict";
  if (window.Stripe) return;

  const script = document.currentScript ?? document.querySelector('script[src*="/stripe/js/v3"]');
  const api = script.src.replace(/\/js\/v3.*$/, "");
  const origin = new URL(api).origin;
  let count = 0;

  const CONNECTION = {
    type: "api_connection_error",
    message: "We are experiencing issues connecting to our payments provider. Please try again.",
  };

  function flatten(value, name, into) {
    if (value === null || value === undefined) return;
    if (typeof value === "object") for (const [key, child] of Object.entries(value)) flatten(child, `${name}[${key}]`, into);
    else into.append(name, String(value));
  }
  function form(params) {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) flatten(value, name, body);
    return body;
  }
  async function post(path, params) {
    try {
      return await (await fetch(`${api}/v1/${path}`, { method: "POST", body: form(params) })).json();
    } catch {
      return { error: CONNECTION };
    }
  }
  const intentOf = (secret) => {
    const match = /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(secret ?? "");
    if (!match) {
      throw new TypeError(`Invalid value for stripe.confirmCardPayment intent secret: value should be a client_secret of the form \${id}_secret_\${secret}. You specified: ${secret}.`);
    }
    return match[1];
  };

  class Element {
    constructor(elements, type, options) {
      this._elements = elements;
      this._type = type;
      this._options = { ...options };
      this._id = `card-${++count}-${Math.random().toString(36).slice(2)}`;
      this._listeners = new Map();
      this._requests = new Map();
      this._ready = new Promise((resolve) => (this._setReady = resolve));
      this._state = { complete: false, empty: true, error: undefined, brand: "unknown" };
      this._receive = this._receive.bind(this);
      addEventListener("message", this._receive);
    }

    on(event, callback) {
      if (!this._listeners.has(event)) this._listeners.set(event, new Set());
      this._listeners.get(event).add(callback);
      return this;
    }
    once(event, callback) {
      const wrapped = (payload) => {
        this.off(event, wrapped);
        callback(payload);
      };
      return this.on(event, wrapped);
    }
    off(event, callback) {
      if (callback) this._listeners.get(event)?.delete(callback);
      else this._listeners.delete(event);
      return this;
    }
    addEventListener(event, callback) { return this.on(event, callback); }
    removeEventListener(event, callback) { return this.off(event, callback); }

    mount(where) {
      const container = typeof where === "string" ? document.querySelector(where) : where;
      if (!container) {
        throw new Error(`The selector you specified (${where}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`);
      }
      this.unmount();
      const size = this._options.style?.base?.fontSize ?? "16px";
      const frame = document.createElement("iframe");
      frame.title = "Secure card payment input frame";
      frame.name = `__privateStripeFrame${count}`;
      frame.src = `${api}/elements/card#${this._id}`;
      frame.allow = "payment *";
      frame.setAttribute("frameborder", "0");
      frame.setAttribute("scrolling", "no");
      frame.style.cssText = `border:0!important;margin:0!important;padding:0!important;width:1px!important;min-width:100%!important;overflow:hidden!important;display:block!important;user-select:none!important;color-scheme:light only!important;height:calc(${size} * 1.5)`;
      this._container = container;
      this._frame = frame;
      container.classList.add("StripeElement");
      container.replaceChildren(frame);
      this._onLabel = () => this.focus();
      this._labels = container.id ? [...document.querySelectorAll(`label[for="${CSS.escape(container.id)}"]`)] : [];
      for (const label of this._labels) label.addEventListener("click", this._onLabel);
      this._mark();
      return this;
    }
    unmount() {
      if (!this._frame) return this;
      for (const label of this._labels) label.removeEventListener("click", this._onLabel);
      this._frame.remove();
      this._container.classList.remove(..."StripeElement StripeElement--empty StripeElement--complete StripeElement--invalid StripeElement--focus".split(" "));
      this._frame = this._container = null;
      this._ready = new Promise((resolve) => (this._setReady = resolve));
      return this;
    }
    destroy() {
      this.unmount();
      removeEventListener("message", this._receive);
      this._elements._forget(this);
      this._destroyed = true;
      return this;
    }
    update(options) {
      const style = options.style ? { ...this._options.style, ...options.style } : this._options.style;
      this._options = { ...this._options, ...options, style };
      this._send("options", { options: plain(this._options) });
      return this;
    }
    focus() { this._send("focus"); this._frame?.focus(); return this; }
    blur() { this._send("blur"); return this; }
    clear() { this._send("clear"); return this; }

    _send(type, more = {}) {
      this._frame?.contentWindow?.postMessage({ teesmithStripe: type, id: this._id, ...more }, origin);
    }
    async _tokenise(call) {
      if (!this._frame) {
        throw new Error("We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.");
      }
      await this._ready;
      const request = ++count;
      return new Promise((resolve) => {
        this._requests.set(request, resolve);
        this._send("tokenise", { request, call });
      });
    }
    _receive(event) {
      const message = event.data;
      if (event.origin !== origin || message?.id !== this._id || event.source !== this._frame?.contentWindow) return;
      const type = message.teesmithStripe;
      if (type === "ready") {
        this._send("options", { options: plain(this._options) });
        this._setReady();
        this._emit("ready", { elementType: this._type });
      } else if (type === "change") {
        this._state = message.change;
        this._mark();
        this._emit("change", { elementType: this._type, ...message.change, value: { postalCode: "" } });
      } else if (type === "response") {
        this._requests.get(message.request)?.(message.response);
        this._requests.delete(message.request);
      } else if (type === "focus" || type === "blur" || type === "escape") {
        if (type !== "escape") this._container.classList.toggle("StripeElement--focus", type === "focus");
        this._emit(type, { elementType: this._type });
      }
    }
    _mark() {
      const marks = this._container?.classList;
      marks?.toggle("StripeElement--empty", this._state.empty);
      marks?.toggle("StripeElement--complete", this._state.complete);
      marks?.toggle("StripeElement--invalid", Boolean(this._state.error));
    }
    _emit(event, payload) {
      // React calls setState from here; its own errors must not stop the other listeners.
      for (const callback of [...(this._listeners.get(event) ?? [])]) queueMicrotask(() => callback(payload));
    }
  }

  // Options cross to the frame by structured clone: functions and DOM nodes stay behind.
  const plain = (options) => JSON.parse(JSON.stringify({ ...options, classes: undefined }));

  class Elements {
    constructor(options = {}) {
      this._options = options;
      this._made = [];
    }
    create(type, options = {}) {
      if (type !== "card") {
        throw new Error(`A valid Element name must be provided. Valid Elements are: card; you passed: ${type}.`);
      }
      if (this.getElement(type)) throw new Error(`Can only create one Element of type ${type} through \`elements()\`.`);
      const element = new Element(this, type, options);
      this._made.push(element);
      return element;
    }
    getElement(type) {
      const name = typeof type === "string" ? type : type?.__elementType;
      return this._made.find((element) => element._type === name) ?? null;
    }
    update(options) { Object.assign(this._options, options); }
    async fetchUpdates() { return {}; }
    async submit() { return {}; }
    _forget(element) { this._made = this._made.filter((made) => made !== element); }
  }

  // The bank's page in a dialog over the shop; resolves once the shopper has answered it.
  function challenge(url) {
    return new Promise((resolve) => {
      const dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Your bank asks for confirmation");
      dialog.style.cssText = "margin:auto;width:min(420px,94vw);height:min(420px,90vh);padding:0;border:0;border-radius:12px;overflow:hidden";
      const frame = document.createElement("iframe");
      frame.src = url;
      frame.title = "3D Secure authentication";
      frame.name = "stripe-challenge-frame";
      frame.style.cssText = "width:100%;height:100%;border:0;display:block;background:#fff";
      dialog.append(frame);
      dialog.addEventListener("cancel", (event) => event.preventDefault());
      const listen = (event) => {
        if (event.origin !== origin || event.data?.teesmithStripe !== "challenge-done") return;
        removeEventListener("message", listen);
        dialog.remove();
        resolve();
      };
      addEventListener("message", listen);
      document.body.append(dialog);
      dialog.showModal();
    });
  }

  function Stripe(key, settings = {}) {
    if (typeof key !== "string" || !key.startsWith("pk_")) {
      throw new Error("Please call Stripe() with your publishable key. You used an empty string or a key of another kind.");
    }

    const retrievePaymentIntent = async (secret) => {
      const query = new URLSearchParams({ key, client_secret: secret });
      try {
        const response = await (await fetch(`${api}/v1/payment_intents/${intentOf(secret)}?${query}`)).json();
        return response.error ? { error: response.error } : { paymentIntent: response };
      } catch (problem) {
        if (problem instanceof TypeError && /client_secret/.test(problem.message)) throw problem;
        return { error: CONNECTION };
      }
    };

    async function finish(response, secret, handleActions) {
      if (response.error) return { error: response.error };
      const action = response.next_action;
      if (response.status !== "requires_action" || handleActions === false) return { paymentIntent: response };
      if (action.type === "redirect_to_url") {
        location.assign(action.redirect_to_url.url);
        return new Promise(() => {});
      }
      await challenge(action.use_stripe_sdk.stripe_js);
      const after = await retrievePaymentIntent(secret);
      const problem = after.paymentIntent?.last_payment_error;
      return after.paymentIntent?.status === "requires_payment_method" && problem ? { error: problem } : after;
    }

    async function createPaymentMethod(first, second, third) {
      const { type, card, billing_details } =
        typeof first === "string" ? { type: first, card: second, ...third } : { ...first, card: first.card ?? first.elements?.getElement("card") };
      const data = { type, billing_details };
      const response = card instanceof Element
        ? await card._tokenise({ endpoint: "payment_methods", key, data: JSON.parse(JSON.stringify(data)) })
        : await post("payment_methods", { ...data, card, key });
      return response.error ? { error: response.error } : { paymentMethod: response };
    }

    async function confirmCardPayment(secret, data = {}, options = {}) {
      const intent = intentOf(secret);
      const { payment_method: method, ...rest } = data;
      const params = { key, client_secret: secret };
      for (const name of ["shipping", "receipt_email", "return_url", "setup_future_usage"]) {
        if (rest[name] !== undefined) params[name] = rest[name];
      }
      if (typeof method === "string") params.payment_method = method;
      else if (method) {
        const made = await createPaymentMethod({ type: "card", card: method.card, billing_details: method.billing_details });
        if (made.error) return { error: made.error };
        params.payment_method = made.paymentMethod.id;
      }
      return finish(await post(`payment_intents/${intent}/confirm`, params), secret, options.handleActions);
    }

    async function handleNextAction({ clientSecret }) {
      const retrieved = await retrievePaymentIntent(clientSecret);
      return retrieved.error ? retrieved : finish(retrieved.paymentIntent, clientSecret, true);
    }

    async function createToken(element, data = {}) {
      const response = await element._tokenise({ endpoint: "tokens", key, data: { card: JSON.parse(JSON.stringify(data)) } });
      return response.error ? { error: response.error } : { token: response };
    }

    return {
      elements: (options) => new Elements(options),
      createPaymentMethod,
      createToken,
      confirmCardPayment,
      retrievePaymentIntent,
      handleNextAction,
      handleCardAction: (clientSecret) => handleNextAction({ clientSecret }),
      registerAppInfo() {},
      _registerWrapper() {},
      _apiKey: key,
      _settings: settings,
    };
  }

  Stripe.version = "endive";
  window.Stripe = Stripe;
})();
