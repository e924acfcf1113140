// TurnView shows one turn: what was said, and all that answers it.
class TurnView {
  constructor(message, host) {
    Object.assign(this, { host, message, unread: new Map() });
    const { voice } = host;
    this.acknowledgment = make("p", { part: "acknowledgment", class: "acknowledgment soft", dir: "auto" }, voice.say("sending"));
    this.bar = make("div", {
      part: "progress", class: "progress", role: "progressbar", "aria-label": voice.say("region"), "aria-valuemin": 0, "aria-valuemax": 5,
    }, [1, 2, 3, 4, 5].map(() => make("i")));
    this.stage = make("span", { dir: "auto" });
    this.stop = make("button", { type: "button", part: "stop", class: "quiet", click: () => host.cancel(this) }, voice.say("stop"));
    this.waiting = make("div", { class: "waiting" }, this.bar, make("p", { class: "soft" }, this.stage, " ", this.stop));
    this.chips = make("ul", { part: "chips", class: "chips", role: "list", "aria-label": voice.say("understood"), hidden: true });
    this.text = make("div", { part: "message", class: "message", dir: "auto", hidden: true });
    this.extras = make("div", { class: "extras" });
    this.state = make("p", { part: "connection", class: "connection", hidden: true });
    this.node = make("section", { part: "turn", class: "turn" },
      make("p", { part: "said", class: "said", dir: "auto" }, message),
      this.acknowledgment, this.waiting, this.chips, this.text, this.extras, this.state);
    this.step(1);
  }

  show(update) {
    this[`on_${update.type}`]?.(update);
  }

  step(n, of = 5) {
    const { voice } = this.host;
    this.bar.setAttribute("aria-valuenow", n);
    this.bar.setAttribute("aria-valuemax", of);
    this.bar.setAttribute("aria-valuetext", voice.say("step", { n: voice.number(n), of: voice.number(of) }));
    [...this.bar.children].forEach((mark, i) => { mark.className = i + 1 < n ? "past" : i + 1 === n ? "now" : ""; });
  }

  on_acknowledgment({ text, language }) {
    if (language) this.acknowledgment.lang = this.text.lang = language;
    this.acknowledgment.textContent = text;
    this.acknowledgment.classList.remove("soft");
    this.host.speak(text);
    this.step(2);
  }

  on_progress({ text, step, of }) {
    this.stage.textContent = text;
    this.step(step, of);
  }

  on_template({ template }) {
    const { voice } = this.host;
    const chip = (text, edit) => make("li", {}, make("button", {
      type: "button", part: "chip", class: "chip", dir: "auto", title: voice.say("change", { x: text }), click: () => this.host.suggest(edit),
    }, text));
    this.chips.replaceChildren(...understood(template, voice).map(([text, edit]) => chip(text, edit)));
    this.chips.hidden = !this.chips.children.length;
  }

  // on_candidates keeps whose calendar nobody could read. A later one takes the place of a preliminary one.
  on_candidates({ calendars, hasNoCommonTime, reasons, preliminary }) {
    if (preliminary) return;
    const { voice } = this.host;
    const unread = calendars.filter(({ state }) => state === "unknown")
      .map(({ name, reason }) => make("li", { class: "warning", dir: "auto" }, voice.say("unread", { name, reason: reason ?? "" }).replace(/[:\s]+$/, "")));
    this.notes = make("ul", { part: "notes", class: "notes", role: "list" }, unread, (reasons ?? []).map(({ text }) => make("li", { dir: "auto" }, text)));
    this.nearest = hasNoCommonTime;
    if (this.notes.children.length) this.extras.replaceChildren(this.notes);
  }

  on_message_delta({ text }) {
    if (!this.writing) this.text.replaceChildren();
    Object.assign(this, { writing: true }).text.classList.add("plain", "writing");
    this.text.hidden = false;
    this.text.append(text);
  }

  on_message(update) {
    this.said = plain(update.text);
    this.writing = false;
    this.text.hidden = false;
    this.text.classList.remove("writing");
    rich(this.text, update, this.host.server.origin);
  }

  on_event({ event }) {
    this.card = this.host.offer(event);
    // What was said of a suggestion gives way to what is said of the event as it was confirmed or cancelled.
    this.card.retell = (message) => this.on_message(message);
    if (this.nearest) this.extras.append(make("p", { class: "problem" }, this.host.voice.say("none")));
    this.extras.append(this.card.node);
  }

  on_alternatives({ slots, places }) {
    const { voice } = this.host;
    const zone = this.host.zone;
    const take = (label, spoken) => make("button", {
      type: "button", part: "choice", class: "choice", dir: "auto", click: () => this.host.ask(voice.say("choose", { x: spoken })),
    }, label);
    this.extras.append(make("fieldset", { class: "group" }, make("legend", {}, voice.say("more")),
      slots.map(({ start }) => take(voice.short(start, zone), voice.spoken(start, zone))), (places ?? []).map(({ name }) => take(name, name))));
  }

  // on_activities adds to the message, which describes them, a way to choose one and the pages of those that have any.
  on_activities({ activities }) {
    const { voice, server: { origin } } = this.host;
    const line = ({ title, url }, i) => make("li", {},
      make("button", { type: "button", part: "choice", class: "choice", dir: "auto", click: () => this.host.ask(voice.say("pick", { n: i + 1 })) }, title),
      url && safeURL(url, origin) ? outside(url, origin, { part: "link", "aria-label": voice.say("newTab", { x: title }) }, new URL(url).host) : "");
    this.extras.append(make("ol", { class: "activities" }, activities.map(line)));
  }

  on_navigate({ url }) {
    const { voice, server } = this.host;
    const label = voice.say("open");
    this.extras.append(outside(url, server.origin, { part: "navigate", class: "primary", "aria-label": voice.say("newTab", { x: label }) }, label));
  }

  on_error({ code, message, retryable, retryAfterSeconds }) {
    this.fail(new Problem({ code, detail: message, retryable, after: retryAfterSeconds }), () => this.host.resend(this));
  }

  on_done({ outcome }) {
    if (outcome === "cancelled" && this.state.hidden) this.say(this.host.voice.say("stopped"), "quiet");
    this.end();
    const result = this.card ? `${this.said ?? ""} ${this.host.voice.say(this.card.event.status)}: ${this.card.summary()}` : this.said;
    if (result) this.host.speak(result);
  }

  // say shows a line about the connection.
  say(text, kind) {
    this.state.replaceChildren(text);
    this.state.dataset.kind = kind;
    this.state.hidden = false;
  }

  hush() {
    this.state.hidden = true;
  }

  // resume shows again that it goes on.
  resume() {
    this.hush();
    this.node.firstChild.after(this.acknowledgment, this.waiting);
  }

  // end leaves nothing that moves.
  end() {
    this.waiting.remove();
    this.text.classList.remove("writing");
    if (!this.acknowledgment.classList.contains("soft")) return;
    this.acknowledgment.remove();
  }

  // fail says why there is no answer and offers to try again.
  fail(problem, again) {
    const { voice } = this.host;
    this.end();
    this.host.restore(this.message);
    const text = reasonOf(voice, problem);
    this.say(text, "error");
    this.state.append(" ", make("button", { type: "button", part: "again", class: "quiet", click: again }, voice.say("again")));
    this.host.speak(text);
    this.host.emit("convene:error", { code: problem.code, status: problem.status, message: text, retryable: Boolean(problem.retryable), turnId: this.id });
  }
}

// understood is what a template says, each with the words that begin a change of it.
function understood(template, voice) {
  const instead = (x) => voice.say("instead", { x });
  const kind = voice.kind(template.eventType);
  const hours = Object.values(template.preferredSchedulableHours?.week ?? {}).flat();
  const windows = [...new Set(hours.map((window) => voice.window(window)))];
  const place = template.placeName || template.activitySearchQuery || template.suggestedPlaceTypes?.[0]?.replace(/_/g, " ");
  return [
    [template.title, instead(template.activity === "custom" ? template.title : template.activity)],
    kind && [kind, instead(kind)],
    template.duration && [voice.say("minutes", { n: voice.number(template.duration) }), voice.say("length", { n: template.duration })],
    ...(template.preferredSchedulableDates ?? []).slice(0, 3).map((run) => [voice.dates(run), instead(voice.dates(run))]),
    ...windows.slice(0, 2).map((text) => [text, voice.say("at")]),
    ...(template.participants ?? []).map((name) => [name, instead(name)]),
    place && [place, instead(place)],
  ].filter((chip) => chip && chip[0]);
}
