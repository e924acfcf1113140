// Where this file came from is where the requests go, unless the attribute server says otherwise.
const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"]');
const home = script?.src ? new URL(script.src).origin : location.origin;

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

// ConveneScheduler is <convene-scheduler>: a conversation that ends in an event. Its attributes are
//   server         the origin of the Convene server; left out, where this file came from
//   token          a short-lived token for this browser; it may be replaced at any time
//   organizer      who asks: the id of a stored person, or a person as a JSON object
//   participants   the others: ids with commas between them, or a JSON array
//   timezone       the IANA zone in which messages are meant; left out, the organizer's
//   locale         the language and format of what the element itself says; left out, the page's
//   theme          light or dark; left out, what the person prefers
//   conversation   the conversation to go on with; kept up to date by the element
// It tells the page with events that bubble: convene:turn, convene:update, convene:event, convene:confirmed,
// convene:cancelled and convene:error.
class ConveneScheduler extends HTMLElement {
  static observedAttributes = ["server", "token", "locale"];

  #root = this.attachShadow({ mode: "open" });
  #frame;
  #log;
  #form;
  #input;
  #button;
  #live;
  #voice;
  #server;
  #turns = new Set();
  // What goes on by itself with another token, by the turn or card that waits for it.
  refused = new Map();
  #cards = new Map();
  #built = false;

  connectedCallback() {
    if (this.#built) return;
    this.#built = true;
    this.#root.adoptedStyleSheets = [sheet];
    this.#build();
  }

  // disconnectedCallback stops reading; the server goes on, and the conversation can be gone on with.
  disconnectedCallback() {
    queueMicrotask(() => {
      // It may only have been moved.
      if (this.isConnected) return;
      for (const turn of this.#turns) turn.following?.abort();
    });
  }

  attributeChangedCallback(name) {
    this.#voice = undefined;
    this.#server = undefined;
    if (name === "locale" && this.#built) this.#label();
    if (name !== "token") return;
    const waiting = [...this.refused.values()];
    this.refused.clear();
    for (const again of waiting) again();
  }

  get voice() {
    const page = this.closest("[lang]")?.lang;
    return (this.#voice ??= new Voice(this.getAttribute("locale") || page || navigator.language));
  }

  get server() {
    return (this.#server ??= new Server(new URL(this.getAttribute("server") || home, location.href).origin, this.getAttribute("token")));
  }

  // zone is that of the latest proposal.
  get zone() {
    return [...this.#cards.values()].at(-1)?.event.timezone ?? this.getAttribute("timezone");
  }

  #build() {
    this.#log = make("div", { part: "log", class: "log" });
    this.#live = make("div", { class: "unseen", role: "status", "aria-live": "polite", "aria-atomic": "true" });
    this.#input = make("textarea", {
      part: "input", rows: 1, maxlength: 8000, enterkeyhint: "send", dir: "auto",
      keydown: (key) => {
        if (key.key !== "Enter" || key.shiftKey || key.isComposing) return;
        key.preventDefault();
        this.#form.requestSubmit();
      },
    });
    this.#button = make("button", { part: "send", class: "primary" });
    this.#form = make("form", { part: "composer", class: "composer", submit: (submit) => this.#submit(submit) }, this.#input, this.#button);
    this.#frame = make("div", { part: "frame", class: "frame", role: "group" }, this.#log, this.#form, this.#live);
    this.#root.append(this.#frame);
    this.#label();
  }

  #label() {
    const { voice } = this;
    this.#frame.dir = voice.direction;
    this.#frame.lang = voice.locale;
    this.#frame.setAttribute("aria-label", voice.say("region"));
    this.#input.setAttribute("aria-label", voice.say("ask"));
    this.#input.placeholder = voice.say("ask");
    this.#button.textContent = voice.say("send");
  }

  focus(options) {
    this.#input?.focus(options);
  }

  #submit(submit) {
    submit.preventDefault();
    const message = this.#input.value.trim();
    if (!message) return this.#input.focus();
    this.#input.value = "";
    this.ask(message);
  }

  // ask sends a message, as if it had been typed. It returns when the turn is over or was given up.
  async ask(message) {
    const turn = new TurnView(message, this);
    this.#turns.add(turn);
    this.#log.append(turn.node);
    this.#scroll();
    await this.#start(turn);
  }

  // reset forgets the conversation and begins a new one.
  reset() {
    for (const turn of this.#turns) turn.following?.abort();
    for (const known of [this.#turns, this.#cards, this.refused]) known.clear();
    this.removeAttribute("conversation");
    this.#log?.replaceChildren();
  }

  // suggest puts the beginning of a change into the input, with what is to be filled in selected.
  suggest(text) {
    this.#input.value = text;
    this.#input.focus();
    const at = text.search(/…|\d+/);
    if (at >= 0) this.#input.setSelectionRange(at, at + /^…|^\d+/.exec(text.slice(at))[0].length);
  }

  #request(message) {
    const value = (name) => {
      const text = this.getAttribute(name)?.trim() || undefined;
      try {
        return /^[[{]/.test(text) ? JSON.parse(text) : text;
      } catch {
        // The server names what is wrong with it.
        return text;
      }
    };
    const organizer = value("organizer");
    const participants = value("participants");
    return {
      message, organizer, conversationId: value("conversation"),
      participants: typeof participants === "string" ? participants.split(",").map((id) => id.trim()).filter(Boolean) : participants,
      timezone: value("timezone") ?? (organizer?.name && !organizer.timezone ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined),
    };
  }

  // #start sends the turn, more than once where it must: the key makes the server take it once.
  async #start(turn, renewed) {
    turn.key ??= [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    turn.following = new AbortController();
    turn.sentAt ??= performance.now();
    const { signal } = turn.following;
    try {
      turn.body ??= this.#request(turn.message);
      const send = () => this.server.post("/v1/turns", turn.body, { "Idempotency-Key": turn.key }, signal);
      const started = await this.server.insist(send, ({ after }) => this.#unsettled(turn, after ? "busy" : "lost", after), signal);
      if (signal.aborted) return;
      turn.hush();
      Object.assign(turn, { id: started.turnId, path: started.eventsUrl });
      if (this.getAttribute("conversation") !== started.conversationId) this.setAttribute("conversation", started.conversationId);
      this.emit("convene:turn", { turnId: turn.id, conversationId: started.conversationId, message: turn.message, sentAt: turn.sentAt });
    } catch (problem) {
      // Another token may not open the conversation of the last one.
      if (problem.status === 404) this.removeAttribute("conversation");
      return this.#giveUp(turn, problem, renewed);
    }
    await this.#follow(turn);
  }

  async #follow(turn, renewed) {
    turn.follower ??= new Follower(turn.path, {
      update: (update, id) => this.#take(turn, update, id),
      state: (state, after) => this.#unsettled(turn, state, after),
    });
    turn.follower.signal = turn.following.signal;
    const { last } = turn.follower;
    try {
      await turn.follower.run(this);
    } catch (problem) {
      this.#giveUp(turn, problem, renewed && turn.follower.last === last);
    }
  }

  // #again goes on with a turn where it was.
  async #again(turn, renewed) {
    this.#retract(turn);
    turn.resume();
    turn.following = new AbortController();
    await (turn.path ? this.#follow(turn, renewed) : this.#start(turn, renewed));
  }

  // #unsettled shows that the connection is lost, and that it is there again.
  #unsettled(turn, state, after) {
    const { voice } = this;
    if (state !== "open") {
      turn.broken = true;
      return turn.say(state === "busy" ? voice.say("busy", { n: voice.number(after) }) : voice.say("lost"), "lost");
    }
    if (turn.broken) turn.say(voice.say("back"), "back");
    turn.broken = false;
  }

  #take(turn, update, id) {
    this.emit("convene:update", { update, id, turnId: turn.id });
    turn.show(update);
    this.#scroll();
  }

  // #giveUp says why there is no answer. Where the token was refused, another one goes on; but not without end, where all
  // that the page has are refused.
  #giveUp(turn, problem, renewed) {
    if (turn.following.signal.aborted) return;
    const gone = problem.status === 404;
    if (problem.status === 401 && !renewed) this.refused.set(turn, () => this.#again(turn, true));
    turn.fail(gone ? new Problem({ code: "not_found", detail: this.voice.say("forgotten"), status: 404 }) : problem, () => {
      this.refused.delete(turn);
      if (turn.path && !gone) this.#again(turn);
      else this.resend(turn);
    });
  }

  // #retract takes back the words of a turn that goes on.
  #retract(turn) {
    if (this.#input.value === turn.message) this.#input.value = "";
  }

  // resend asks the same as a new turn, in place of one that came to nothing.
  async resend(turn) {
    this.#retract(turn);
    this.#input.focus();
    this.#turns.delete(turn);
    turn.node.remove();
    await this.ask(turn.message);
  }

  // cancel stops a turn. Its stream says so, or, before there is one, the element does.
  async cancel(turn) {
    this.#input.focus();
    if (turn.id) {
      const gone = await this.server.fetch(`/v1/turns/${encodeURIComponent(turn.id)}`, { method: "DELETE" }).catch((problem) => problem);
      if (!(gone instanceof Problem)) return;
    }
    turn.following.abort();
    turn.on_done({ outcome: "cancelled" });
    this.restore(turn.message);
  }

  // restore leaves the words where they can be sent again, unless others stand there already.
  restore(message) {
    this.#input.value ||= message;
  }

  // offer is the card of a proposal.
  offer(event) {
    const card = new Card(event, this);
    this.#cards.set(event.id, card);
    this.supersede(event, "proposed");
    this.emit("convene:event", { event });
    return card;
  }

  // supersede marks the proposals that this one takes the place of.
  supersede({ replaces }, status) {
    for (let card; (card = this.#cards.get(replaces)); replaces = card.event.replaces) card.supersede(status);
  }

  // speak is heard by those who do not see: the acknowledgment, the result, and what went wrong.
  speak(text) {
    this.#live.textContent = text;
  }

  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  // #scroll shows the end, but never hides the beginning of what is newest.
  #scroll() {
    const newest = [...this.#log.querySelectorAll(".turn:last-child, .turn:last-child .card")].at(-1);
    this.#log.scrollTop = Math.min(this.#log.scrollHeight, newest.offsetTop - 12);
  }
}

if (!customElements.get("convene-scheduler")) customElements.define("convene-scheduler", ConveneScheduler);
