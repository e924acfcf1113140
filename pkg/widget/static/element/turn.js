// TurnView shows one turn: the message and its answer. It keeps the updates, so that it can be drawn anew in another
// language.
class TurnView {
  constructor(message, host) {
    Object.assign(this, { host, message, updates: [] });
    this.node = make("section", { part: "turn" });
    this.draw();
  }

  draw() {
    const { voice } = this.host;
    this.acknowledgment = make("p", { part: "acknowledgment", class: "acknowledgment soft", dir: "auto" }, voice.say("sending"));
    this.bar = make("div", {
      part: "progress", role: "progressbar", "aria-label": voice.say("region"), "aria-valuemin": 0, "aria-valuemax": 5,
    }, [1, 2, 3, 4, 5].map(() => make("i")));
    this.stage = make("span", { dir: "auto" });
    this.stop = make("button", { part: "stop", class: "quiet", click: () => this.host.cancel(this) }, voice.say("stop"));
    this.waiting = make("div", { class: "waiting" }, this.bar, make("p", { class: "soft" }, this.stage, " ", this.stop));
    this.chips = make("ul", { part: "chips", role: "list", "aria-label": voice.say("understood"), hidden: true });
    this.text = make("div", { part: "message", dir: "auto", hidden: true });
    this.extras = make("div", { class: "extras" });
    this.state = make("p", { part: "connection", dir: "auto" });
    this.node.replaceChildren(
      make("p", { part: "said", dir: "auto" }, this.message),
      this.acknowledgment, this.waiting, this.chips, this.text, this.extras, this.state);
    this.step(1);
    this.writing = false;
    for (const update of this.updates) this[`on_${update.type}`]?.(update);
    if (this.over) this.end();
    this.say(this.line);
  }

  // show draws an update, and then runs its one-time effects.
  show(update) {
    this.updates.push(update);
    this[`on_${update.type}`]?.(update);
    this[`after_${update.type}`]?.(update);
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
    this.step(2);
  }

  after_acknowledgment({ text }) {
    this.host.speak(text);
  }

  on_progress({ text, step, of }) {
    this.stage.textContent = text;
    this.step(step, of);
  }

  on_template({ template }) {
    const { voice } = this.host;
    const chip = (text, edit) => make("li", {}, make("button", {
      part: "chip", dir: "auto", title: voice.say("change", { x: text }), click: () => this.host.suggest(edit),
    }, text));
    this.chips.replaceChildren(...understood(template, voice).map(([text, edit]) => chip(text, edit)));
    this.chips.hidden = !this.chips.children.length;
  }

  // on_candidates shows the calendars that could not be read. A preliminary update is ignored.
  on_candidates({ calendars, hasNoCommonTime, reasons, preliminary }) {
    if (preliminary) return;
    const { voice } = this.host;
    const unread = calendars.filter(({ state }) => state === "unknown")
      .map(({ name, reason }) => make("li", { class: "warning", dir: "auto" }, voice.say("unread", { name, reason: reason ?? "" }).replace(/[:\s]+$/, "")));
    const notes = make("ul", { part: "notes", role: "list" }, unread, (reasons ?? []).map(({ text }) => make("li", { dir: "auto" }, text)));
    this.nearest = hasNoCommonTime;
    if (notes.children.length) this.extras.replaceChildren(notes);
  }

  on_message_delta({ text }) {
    if (!this.writing) this.text.replaceChildren();
    Object.assign(this, { writing: true }).text.classList.add("plain", "writing");
    this.text.hidden = false;
    this.text.append(text);
  }

  on_message(update) {
    this.writing = false;
    this.text.hidden = false;
    this.text.classList.remove("writing");
    rich(this.text, update, this.host.server.origin);
  }

  on_event({ event }) {
    if (this.card) this.card.draw();
    this.card ??= this.host.offer(event, this);
    // The message of a confirmation or cancellation replaces that of the suggestion.
    this.card.retell = (message) => this.on_message(message);
    if (this.nearest) this.extras.append(make("p", { class: "problem" }, this.host.voice.say("none")));
    this.extras.append(this.card.node);
  }

  on_alternatives({ slots, places }) {
    const { voice } = this.host;
    const zone = this.host.zone;
    const take = (label, spoken) => make("button", {
      part: "choice", dir: "auto", click: () => this.host.ask(voice.say("choose", { x: spoken })),
    }, label);
    this.extras.append(make("fieldset", { class: "group" }, make("legend", {}, voice.say("more")),
      slots.map(({ start }) => take(voice.short(start, zone), voice.spoken(start, zone))), (places ?? []).map(({ name }) => take(name, name))));
  }

  // on_activities adds buttons to choose an activity, and links to their pages; the message describes them.
  on_activities({ activities }) {
    const { voice, server: { origin } } = this.host;
    const line = ({ title, url }, i) => make("li", {},
      make("button", { part: "choice", dir: "auto", click: () => this.host.ask(voice.say("pick", { n: i + 1 })) }, title),
      url && safeURL(url, origin) ? outside(url, origin, { part: "link", "aria-label": voice.say("newTab", { x: `${new URL(url).host}: ${title}` }) }, new URL(url).host) : "");
    this.extras.append(make("ol", { class: "activities" }, activities.map(line)));
  }

  on_navigate({ url }) {
    const { voice, server } = this.host;
    const label = voice.say("open");
    this.extras.append(outside(url, server.origin, { part: "navigate", class: "primary", "aria-label": voice.say("newTab", { x: label }) }, label));
  }

  // on_plan lists the steps of a plan, with the states of those that have ended or wait.
  on_plan({ steps }) {
    const { voice } = this.host;
    const called = { completed: "made", failed: "notMade", blocked: "notMade", skipped: "left", waiting_for_user: "waits" };
    const list = make("ol", { part: "plan", role: "list" }, steps.map(({ humanSummary, status }) =>
      make("li", { "data-status": status }, make("bdi", {}, humanSummary), called[status] ? ` · ${voice.say(called[status])}` : "")));
    const last = this.extras.querySelector("[part=plan]");
    if (last) last.replaceWith(list);
    else this.extras.append(list);
  }

  // on_changes shows a set once in a turn. A set of an earlier turn changes there too.
  on_changes({ changes }) {
    this.sets ??= new Map();
    const known = this.sets.get(changes.id);
    if (known) known.draw();
    else this.sets.set(changes.id, this.host.change(changes));
    this.extras.append(this.sets.get(changes.id).node);
  }

  // after_changes shows a later state of a set that the turn has shown.
  after_changes({ changes }) {
    this.host.settle(changes.id, { changes });
  }

  after_applied(applied) {
    this.host.settle(applied.changesId, { applied });
  }

  // on_choices offers answers as buttons, until one is taken.
  on_choices({ id, question, options }) {
    const { host } = this;
    const given = host.answerTo(id);
    const take = ({ id: option, label, detail }) => make("button", {
      part: "choice", dir: "auto", "aria-pressed": String(given === option), disabled: given !== undefined && given !== option,
      click: () => {
        if (host.answerTo(id) !== undefined) return;
        host.ask(label, { id, option });
        this.draw();
      },
    }, label, detail ? ` · ${detail}` : "");
    this.extras.append(make("fieldset", { class: "group" }, make("legend", { dir: "auto" }, question), options.map(take)));
  }

  after_error({ code, message, retryable, retryAfterSeconds }) {
    this.fail(new Problem({ code, detail: message, retryable, after: retryAfterSeconds }), () => this.host.resend(this));
  }

  on_done() {
    this.end();
  }

  after_done({ outcome }) {
    const { voice } = this.host;
    if (outcome === "cancelled" && !this.line) this.say({ kind: "quiet", words: () => this.host.voice.say("stopped") });
    const said = plain(this.updates.findLast(({ type }) => type === "message")?.text ?? "");
    const result = this.card ? `${said} ${voice.say(this.card.event.status)}: ${this.card.summary()}` : said;
    if (result) this.host.speak(result);
  }

  // say shows a line about the connection: a function of its words in the current language, and what a retry does. It hides
  // the line if there is none.
  say(line) {
    this.line = line;
    this.state.hidden = !line;
    if (!line) return;
    this.state.dataset.kind = line.kind;
    this.state.replaceChildren(line.words());
    if (line.again) this.state.append(" ", make("button", { part: "again", class: "quiet", click: line.again }, this.host.voice.say("again")));
  }

  // resume shows the turn as running again.
  resume() {
    this.over = false;
    this.line = undefined;
    this.draw();
  }

  // end removes everything that moves.
  end() {
    this.over = true;
    this.waiting.remove();
    this.text.classList.remove("writing");
    if (this.acknowledgment.classList.contains("soft")) this.acknowledgment.remove();
  }

  // fail shows why there is no answer and offers a retry.
  fail(problem, again) {
    this.end();
    this.host.restore(this);
    const words = () => reasonOf(this.host.voice, problem);
    this.say({ kind: "error", words, again });
    this.host.speak(words());
    this.host.report(problem, words(), { turnId: this.id });
  }
}

// understood lists a template's facts, each with the text that begins a change of it.
function understood(template, voice) {
  const instead = (x) => [x, voice.say("instead", { x })];
  const hours = Object.values(template.preferredSchedulableHours?.week ?? {}).flat();
  const windows = [...new Set(hours.map((window) => voice.window(window)))];
  const { features = [], where } = template.placeWishes ?? {};
  return [
    [template.title, voice.say("instead", { x: voice.called(template.activity) || template.title })],
    instead(voice.kind(template.eventType)),
    template.duration && [voice.say("minutes", { n: voice.number(template.duration) }), voice.say("length", { n: template.duration })],
    ...(template.preferredSchedulableDates ?? []).slice(0, 3).map((run) => instead(voice.dates(run))),
    ...windows.slice(0, 2).map((text) => [text, voice.say("at")]),
    ...(template.participants ?? []).map(instead),
    instead(template.placeName || voice.called(template.activitySearchQuery, true) || voice.called(template.suggestedPlaceTypes?.[0])),
    ...features.map((feature) => instead(voice.called(feature))),
    instead(where?.area || where?.landmark),
  ].filter((chip) => chip && chip[0]);
}
