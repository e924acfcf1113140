// Requests go to the origin of this file, unless the attribute server names another.
const script = document.currentScript ?? document.querySelector('script[src*="/widget.js"]');
const home = script?.src ? new URL(script.src).origin : location.origin;

// How long the notice is shown that the connection is back, in ms.
const backTime = 5000;

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

// ConveneScheduler is <convene-scheduler>: a conversation that ends in an event. Its attributes are
//   server         the origin of the Convene server; default this file's
//   token          a short-lived token for this browser; it may be replaced at any time
//   organizer      the organizer: the id of a stored person, or a person as a JSON object
//   participants   the others: ids separated by commas, or a JSON array
//   timezone       the IANA zone of messages; default the organizer's
//   locale         the language and format of the element's own words; default the page's
//   theme          light or dark; default the visitor's preference
//   conversation   the conversation to continue; updated by the element
// It dispatches events that bubble: convene:turn, convene:update, convene:event, convene:confirmed, convene:cancelled
// and convene:error.
class ConveneScheduler extends HTMLElement {
  static observedAttributes = ["server", "token", "locale", "organizer", "participants", "conversation"];

  #root = this.attachShadow({ mode: "open" });
  #frame;
  #voice;
  #server;
  #turns = new Set();
  // Functions that continue with another token, by the turn or card that waits for it.
  refused = new Map();
  #cards = new Map();
  #lists = new Set();
  // No events and announcements while earlier updates are shown again.
  #quiet = false;

  connectedCallback() {
    if (!this.#frame) {
      this.#root.adoptedStyleSheets = [sheet];
      this.#frame = new Frame(this);
      this.#root.append(this.#frame.node);
      this.#restore();
    }
    for (const name of ["resize", "scroll"]) visualViewport.addEventListener(name, this.#frame.fit);
  }

  // disconnectedCallback stops reading; the server continues, and so can the conversation.
  disconnectedCallback() {
    queueMicrotask(() => {
      // It may only have been moved.
      if (this.isConnected) return;
      for (const name of ["resize", "scroll"]) visualViewport.removeEventListener(name, this.#frame.fit);
      for (const turn of this.#turns) turn.following.abort();
    });
  }

  attributeChangedCallback(name) {
    if (name === "locale") this.#voice = undefined;
    if (/^server|^token/.test(name)) this.#server = undefined;
    if (!this.#frame) return;
    if (name === "locale") this.#frame.redraw(this.#turns);
    if (name === "conversation") this.#save();
    if (/^organizer|^participants/.test(name) && !this.#turns.size) this.#restore();
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

  // zone is the latest proposal's.
  get zone() {
    return [...this.#cards.values()].at(-1)?.event.timezone ?? this.getAttribute("timezone");
  }

  focus(options) {
    this.#frame?.input.focus(options);
  }

  // ask sends a message as if it were typed, or the answer to a question under the message's words. It returns when the
  // turn is over or has failed.
  async ask(message, answer) {
    const turn = Object.assign(this.#add(message), { answer });
    this.#frame.scroll(true);
    await this.#start(turn);
  }

  #add(message) {
    const turn = Object.assign(new TurnView(message, this), { following: new AbortController() });
    this.#turns.add(turn);
    this.#frame.log.append(turn.node);
    return turn;
  }

  // reset begins a new conversation.
  reset() {
    for (const turn of this.#turns) turn.following.abort();
    for (const known of [this.#turns, this.#cards, this.#lists, this.refused]) known.clear();
    this.removeAttribute("conversation");
    this.#frame?.log.replaceChildren();
    this.#save();
  }

  suggest(text) {
    this.#frame.suggest(text);
  }

  #request({ message, answer }) {
    const value = (name) => {
      const text = this.getAttribute(name)?.trim() || undefined;
      try {
        return /^[[{]/.test(text) ? JSON.parse(text) : text;
      } catch {
        // The server names the error.
        return text;
      }
    };
    const organizer = value("organizer");
    const participants = value("participants");
    return {
      message: answer ? undefined : message, answer, organizer, conversationId: value("conversation"),
      participants: typeof participants === "string" ? participants.split(",").map((id) => id.trim()).filter(Boolean) : participants,
      timezone: value("timezone") ?? (organizer?.name && !organizer.timezone ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined),
    };
  }

  // #start sends the turn, repeatedly if it must: the key makes that idempotent.
  async #start(turn, renewed) {
    turn.key ??= [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    turn.sentAt ??= performance.now();
    const { signal } = turn.following;
    try {
      turn.body ??= this.#request(turn);
      this.keep(turn, { at: turn.at ?? Date.now(), by: namespace(this.getAttribute("token")) });
      const send = () => this.server.post("/v1/turns", turn.body, { "Idempotency-Key": turn.key }, signal);
      const started = await this.server.insist(send, ({ after }) => this.#unsettled(turn, after ? "busy" : "lost", after), signal);
      if (signal.aborted) return;
      turn.say();
      this.keep(turn, { id: started.turnId, path: started.eventsUrl, key: undefined, body: undefined });
      if (this.getAttribute("conversation") !== started.conversationId) this.setAttribute("conversation", started.conversationId);
      this.emit("convene:turn", { turnId: turn.id, conversationId: started.conversationId, message: turn.message, sentAt: turn.sentAt });
    } catch (problem) {
      // A new token may not open the old one's conversation.
      if (problem.status === 404) this.removeAttribute("conversation");
      return this.#giveUp(turn, problem, renewed);
    }
    await this.#follow(turn);
  }

  async #follow(turn, renewed) {
    const last = turn.follower?.last;
    try {
      await this.#read(turn);
    } catch (problem) {
      this.#giveUp(turn, problem, renewed && turn.follower.last === last);
    }
  }

  // #read shows the turn's remaining updates.
  #read(turn) {
    turn.follower ??= new Follower(turn.path, {
      update: (update, id) => this.#take(turn, update, id),
      state: (state, after) => this.#unsettled(turn, state, after),
    });
    turn.follower.signal = turn.following.signal;
    return turn.follower.run(this);
  }

  // #again continues a turn.
  async #again(turn, renewed) {
    this.#frame.retract(turn);
    turn.resume();
    turn.following = new AbortController();
    await (turn.path ? this.#follow(turn, renewed) : this.#start(turn, renewed));
  }

  // #unsettled shows that the connection is lost, and that it is back.
  #unsettled(turn, state, after) {
    const tell = (kind, words) => {
      if (turn.line?.kind !== kind) this.speak(words());
      turn.say({ kind, words });
    };
    if (state === "open" || this.#isOwn(turn)) turn.node.hidden = false;
    if (state !== "open") return tell("lost", () => this.voice.say(state, { n: after && this.voice.number(after) }));
    if (turn.line?.kind !== "lost") return;
    tell("back", () => this.voice.say("back"));
    const { line } = turn;
    setTimeout(() => turn.line === line && turn.say(), backTime);
  }

  #take(turn, update, id) {
    this.#quiet = id <= turn.seen;
    this.emit("convene:update", { update, id, turnId: turn.id });
    turn.show(update);
    if (!this.#quiet) this.keep(turn, { seen: id });
    this.#quiet = false;
    this.#frame.scroll(update.type === "event");
  }

  // #giveUp shows why there is no answer. After a refused token a new one continues, but only once without progress.
  #giveUp(turn, problem, renewed) {
    if (turn.following.signal.aborted) return;
    const { status, retryable } = problem;
    const gone = status === 404;
    if (gone) problem.words = "forgotten";
    if (status === 401 && !renewed) this.refused.set(turn, () => this.#again(turn, true));
    // A request that the server has refused is not repeated automatically, nor with the same key.
    if (status !== 401 && !retryable) this.keep(turn, { key: undefined });
    turn.fail(problem, () => {
      this.refused.delete(turn);
      if (turn.path ? !gone : turn.key) this.#again(turn);
      else this.resend(turn);
    });
  }

  // resend replaces a failed turn with a new one of the same message.
  async resend(turn) {
    this.#frame.retract(turn);
    this.focus();
    this.#forget(turn);
    await this.ask(turn.message, turn.answer);
  }

  // cancel stops a turn. Its stream shows that or, before there is one, the element.
  async cancel(turn) {
    this.focus();
    if (turn.id) {
      const gone = await this.server.fetch(`/v1/turns/${encodeURIComponent(turn.id)}`, { method: "DELETE" }).catch((problem) => problem);
      if (!(gone instanceof Problem)) return;
    }
    turn.following.abort();
    this.keep(turn, { key: undefined });
    turn.show({ type: "done", outcome: "cancelled" });
    this.restore(turn);
  }

  // restore puts a turn's message into the input, unless that has text or a later turn is being restored.
  restore(turn) {
    if (!this.#quiet || turn === [...this.#turns].at(-1)) this.#frame.input.value ||= turn.message;
  }

  // offer is the card of an event. One that was shown before and is booked in words moves to the turn that tells of it.
  offer(event, turn) {
    const known = this.#cards.get(event.id);
    if (known) {
      known.settle(event);
      this.emit(`convene:${event.status}`, { event });
      this.keep(turn, { event: event.id });
      return known;
    }
    const card = new Card(event, this, turn);
    this.#cards.set(event.id, card);
    this.supersede(event, "proposed");
    this.emit("convene:event", { event });
    this.keep(turn, { event: event.id });
    if (this.#quiet) card.refresh();
    return card;
  }

  // change is the list of a set of changes.
  change(set) {
    const list = new ChangeList(set, this);
    this.#lists.add(list);
    if (this.#quiet) list.refresh();
    return list;
  }

  // answerTo is the option by which a question was answered.
  answerTo(id) {
    return [...this.#turns].find(({ answer }) => answer?.id === id)?.answer.option;
  }

  // settle shows what has become of a set, wherever it stands.
  settle(id, state) {
    for (const list of this.#lists) if (list.set.id === id) list.settle(state);
  }

  // supersede marks the proposals that this one replaces.
  supersede({ replaces }, status) {
    for (let card; (card = this.#cards.get(replaces)); replaces = card.event.replaces) card.supersede(status);
  }

  // speak announces text to screen readers: the acknowledgment, the result, and errors.
  speak(text) {
    if (!this.#quiet) this.#frame.live.textContent = text;
  }

  // report dispatches a problem to the page, with a message for people.
  report({ code, status, retryable = false }, message, more) {
    this.emit("convene:error", { code, status, message, retryable, ...more });
  }

  emit(name, detail) {
    if (!this.#quiet) this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  // keep changes and stores the state of a turn.
  keep(turn, change) {
    Object.assign(turn, change);
    this.#save();
  }

  #save() {
    remember(this, this.#turns);
  }

  // #restore brings back this tab's turns after a reload. Each stays hidden until the server lets the visitor see it, who
  // may be another one by now.
  #restore() {
    const known = remembered(this);
    if (!known) return;
    const turns = known.turns.map((turn) => Object.assign(this.#add(turn.message), turn));
    for (const { node } of turns) node.hidden = true;
    if (known.conversation) this.setAttribute("conversation", known.conversation);
    this.#takeUp(turns);
  }

  // #isOwn reports whether the turn is by the visitor of the current token, as far as a token says.
  #isOwn(turn) {
    return turn.by === namespace(this.getAttribute("token"));
  }

  // #takeUp continues turns one after the other. After a refused token it waits for a new one, but only once.
  async #takeUp([turn, ...later], renewed) {
    if (!turn) return this.#turns.size || this.removeAttribute("conversation");
    const { server } = this;
    try {
      await (turn.id ? this.#read(turn) : this.#deliver(turn));
      if (turn.id && !turn.over) throw new Problem({});
    } catch (problem) {
      if (turn.following.signal.aborted) return;
      if (problem.status === 401) {
        const again = () => this.#takeUp([turn, ...later], true);
        if (!renewed && server !== this.server) return again();
        if (!renewed) this.refused.set(this, again);
        return this.report(problem, reasonOf(this.voice, problem));
      }
      if (problem.retryable) this.#giveUp(turn, problem);
      else await this.#recall(turn).catch(() => {});
    }
    if (!turn.following.signal.aborted) this.#takeUp(later);
  }

  // #deliver repeats a message that the server may not have received before the reload: with the same key, which makes it
  // idempotent, and only while it is fresh. Later the message is put into the input.
  async #deliver(turn) {
    if (!this.#isOwn(turn) && this.getAttribute("token")) return this.#forget(turn);
    if (turn.key && Date.now() - turn.at < fresh) {
      turn.node.hidden = false;
      return this.#start(turn);
    }
    this.restore(turn);
    this.#forget(turn);
  }

  // #recall shows the remaining state of a turn whose updates have expired.
  async #recall(turn) {
    const read = (path) => this.server.fetch(path).then((response) => response.json())
      .catch((problem) => (problem.retryable ? Promise.reject(problem) : {}));
    const { message, error, event = turn.event ? await read(`/v1/proposals/${turn.event}`) : {} } = await read(`/v1/turns/${turn.id}`);
    if (turn.following.signal.aborted) return;
    if (!message && !error && !event.id) return this.#forget(turn);
    this.#quiet = true;
    if (message) turn.show({ type: "message", text: message });
    if (event.id) turn.show({ type: "event", event });
    if (error) turn.show({ type: "error", ...error });
    turn.show({ type: "done" });
    this.#quiet = turn.node.hidden = false;
  }

  #forget(turn) {
    this.#turns.delete(turn);
    turn.node.remove();
    this.#save();
  }
}

if (!customElements.get("convene-scheduler")) customElements.define("convene-scheduler", ConveneScheduler);
