// Panel is what a card and a list of changes have in common: a note, and buttons that wait for the server. About says
// which thing the page is told of in an error.
class Panel {
  constructor(host, about) {
    Object.assign(this, { host, about, busy: undefined, words: undefined });
  }

  get voice() {
    return this.host.voice;
  }

  get server() {
    return this.host.server;
  }

  remark() {
    return make("p", { part: "note", class: "problem", dir: "auto", hidden: !this.words }, this.words?.());
  }

  still() {
    for (const button of this.node.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
  }

  fail(problem, more, again) {
    const words = () => `${reasonOf(this.voice, problem)} ${more ? this.voice.say(more) : ""}`.trim();
    this.say(words);
    if (problem.status === 401 && again) this.host.refused.set(this, again);
    this.host.speak(words());
    this.host.report(problem, words(), this.about);
  }

  // say shows the text of words, a function of the current language; it hides the line if there is none.
  say(words) {
    this.words = words;
    this.note.textContent = words?.() ?? "";
    this.note.hidden = !words;
    this.note.scrollIntoView({ block: "nearest" });
  }
}

// Card shows one proposal, from its offer to its confirmation and cancellation. Choosing an alternative makes no request:
// the confirmation sends the choice, by its index.
class Card extends Panel {
  // turn is the host's state of the turn that offers it.
  constructor(event, host, turn) {
    super(host, { proposalId: event.id });
    Object.assign(this, { event, turn, slot: undefined, place: undefined, gone: false });
    this.node = make("article", { part: "card", tabindex: "-1" });
    this.draw();
  }

  // time is the chosen slot, or the event's own.
  get time() {
    return this.event.alternatives.slots[this.slot] ?? this.event;
  }

  get venue() {
    return this.event.alternatives.places[this.place] ?? this.event.place;
  }

  get open() {
    return this.event.status === "proposed" && !this.replaced;
  }

  draw() {
    this.replaced ||= Boolean(this.event.replacedBy);
    this.node.dataset.status = this.replaced ? "replaced" : this.event.status;
    this.note = this.remark();
    const parts = [this.heading(), this.when(), this.where(), this.people(), this.notes(), this.note];
    if (this.open) parts.push(...this.choices());
    if (!this.replaced) parts.push(this.links(), this.actions());
    this.node.replaceChildren(...parts.filter(Boolean));
    if (this.busy) this.wait(this.busy);
  }

  heading() {
    const status = this.replaced ? "replaced" : this.event.status;
    return make("header", {},
      make("h3", { part: "title", dir: "auto" }, this.event.title),
      make("span", { part: "status" }, this.voice.say(status)));
  }

  when() {
    const { voice, event, time } = this;
    return make("div", { part: "time", class: "when" },
      make("p", { class: "day" }, voice.day(time.start, event.timezone)),
      make("p", { class: "hours" }, voice.hours(time.start, time.end, event.timezone)),
      this.elsewhere());
  }

  // elsewhere is the same time for participants in other zones.
  elsewhere() {
    const { voice, event, time } = this;
    const write = (zone) => `${voice.short(time.start, zone)} ${zoneName(voice, time.start, zone)}`;
    const own = voice.short(time.start, event.timezone);
    const zones = new Map();
    for (const { name, timezone } of event.participants) {
      if (!timezone || voice.short(time.start, timezone) === own) continue;
      zones.set(write(timezone), [...(zones.get(write(timezone)) ?? []), name]);
    }
    return [...zones].map(([clock, names]) =>
      make("p", { class: "theirs" }, `${voice.list(names)}: ${clock}`));
  }

  where() {
    const { voice, event, venue, server: { origin } } = this;
    const join = event.joinUrl && outside(event.joinUrl, origin, { part: "join" }, voice.say("join"));
    if (!venue) return make("div", { class: "where" }, join || voice.kind(event.eventType) || "");
    const page = safeURL(venue.pageUrl, origin);
    const about = [
      venue.rating ? `★ ${voice.number(venue.rating)}` : "",
      venue.distanceFromMidpointKm && !venue.distanceFromAnchorKm ? voice.say("away", { n: voice.number(venue.distanceFromMidpointKm) }) : "",
    ].filter(Boolean).join(" · ");
    return make("div", { part: "place", class: "where" },
      outside(venue.mapsUrl, origin, { "aria-label": voice.say("map", { x: venue.name }) }, venue.name),
      venue.address ? make("p", { class: "soft" }, make("bdi", {}, venue.address)) : "",
      page || venue.credit ? make("p", { class: "soft" }, outside(page, origin, { part: "source" }, venue.credit || new URL(page).host)) : "",
      about ? make("p", { class: "soft" }, about) : "");
  }

  people() {
    return make("ul", { class: "people", role: "list" }, this.event.participants.map(({ name }) => make("li", { dir: "auto" }, name)));
  }

  // notes are warnings: before a confirmation doubts, conflicts and unread calendars; afterwards failed invitations.
  notes() {
    const { voice, event, time } = this;
    const failed = (key, copied) => {
      const names = event.participants.filter((p) => p.invitation === "failed" && !p.copied === !copied).map(({ name }) => name);
      return names.length && event.status === "confirmed" ? voice.say(key, { names: voice.list(names) }) : "";
    };
    const { beforeMinutes: n, afterMinutes: m } = event.travelBuffer;
    const lines = [
      ...(event.doubts ?? []).concat(time.conflicts ?? []).map(({ text, name }) => text || name),
      time.unknown && voice.say("unreadNow", { names: voice.list(time.unknown) }),
      failed("undelivered", false), failed("copied", true),
    ].filter(Boolean).map((text) => make("li", { class: "warning", dir: "auto" }, text));
    if (n || m) lines.push(make("li", {}, voice.say("travel", { n, m })));
    return lines.length ? make("ul", { part: "notes", role: "list" }, lines) : undefined;
  }

  choices() {
    const { slots, places } = this.event.alternatives;
    const zone = this.event.timezone;
    const own = [this.voice.short(this.event.start, zone), this.event.place?.name];
    return [
      this.group("times", "slot", own[0], slots.map(({ start }) => this.voice.short(start, zone))),
      this.group("places", "place", own[1], places.map(({ name }) => name)),
    ].filter(Boolean);
  }

  // group offers the proposed value and its alternatives. A time that has gone cannot be chosen.
  group(title, kind, own, others) {
    if (!others.length) return undefined;
    const label = this.voice.say(title);
    const option = (text, index) => {
      const lost = this.gone && kind === "slot" && index === undefined;
      return make("button", {
        part: "choice", dir: "auto", "aria-pressed": String(!lost && this[kind] === index),
        "data-kind": kind, "data-index": index ?? "", disabled: lost, click: () => this.choose(kind, index),
      }, text);
    };
    return make("fieldset", { class: "group" }, make("legend", {}, label),
      own ? option(own, undefined) : "", others.map(option));
  }

  choose(kind, index) {
    if (this.busy) return;
    this.host.refused.delete(this);
    this.words = undefined;
    this[kind] = index;
    this.draw();
    this.node.querySelector(`[data-kind="${kind}"][data-index="${index ?? ""}"]`)?.focus();
  }

  actions() {
    const { voice, event } = this;
    const row = make("div", { class: "actions" });
    if (this.open) {
      row.append(make("button", {
        part: "confirm", class: "primary", disabled: this.gone && this.slot === undefined,
        click: () => this.send("confirm", this.choice()),
      }, voice.say("confirm")));
    }
    if (event.status === "confirmed") {
      row.append(make("button", { part: "undo", class: "quiet", click: () => this.send("cancel", {}) }, voice.say("undo")));
    }
    return row.firstChild && row;
  }

  // links lead to the server's event, so they are shown only while the card shows the same.
  links() {
    const { voice, event: { links, status }, server } = this;
    if (status === "cancelled" || this.slot !== undefined || this.place !== undefined || this.gone) return undefined;
    const away = (name, address) => outside(address, server.origin, { part: "add", "aria-label": voice.say("newTab", { x: name }) }, name);
    return make("p", { class: "links" }, `${voice.say("add")} `,
      away("Google", links.google), " · ", away("Outlook", links.outlook), " · ",
      make("a", {
        part: "file", href: safeURL(links.ics, server.origin), download: "event.ics", click: (click) => this.download(click),
      }, voice.say("file")));
  }

  // download fetches the file with the token in a header, not in an address.
  async download(click) {
    click?.preventDefault();
    try {
      const file = await (await this.server.fetch(this.event.links.ics)).blob();
      const address = URL.createObjectURL(file);
      make("a", { href: address, download: `${this.event.id}.ics` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      this.say();
    } catch (problem) {
      this.fail(problem, undefined, click && (() => this.download()));
    }
  }

  // choice is the body of a confirmation. The start makes the server refuse it if its alternatives have changed.
  choice() {
    return { slot: this.slot, place: this.place, start: this.time.start };
  }

  // send confirms or cancels. After a refused token it tries once more with a new one.
  async send(what, body, renewed) {
    if (this.busy) return;
    this.wait(what);
    this.host.keep(this.turn, { sent: [what, Date.now()] });
    try {
      const event = await this.server.insist(() => this.server.post(`${this.path}/${what}`, body), (problem) => this.say(() => reasonOf(this.voice, problem)));
      this.settle(event);
      this.node.focus({ preventScroll: true });
      this.tell();
    } catch (problem) {
      this.busy = undefined;
      this.host.keep(this.turn, { sent: undefined });
      await this.refused(problem, renewed ? undefined : () => this.send(what, body, true));
    }
  }

  get path() {
    return `/v1/proposals/${encodeURIComponent(this.event.id)}`;
  }

  async read() {
    return (await this.server.fetch(this.path)).json();
  }

  // wait shows that a request is under way, and disables the buttons.
  wait(what) {
    this.busy = what;
    this.still();
    const button = this.node.querySelector(`[part=${what === "cancel" ? "undo" : what}]`);
    if (button) button.textContent = this.voice.say(what === "cancel" ? "undoing" : "confirming");
  }

  // refresh shows the current proposal, and disables choices until then. A request that was under way at a reload may take
  // a while to have its effect.
  async refresh() {
    const [what, at] = this.turn.sent ?? ["read", 0];
    const before = { confirm: "proposed", cancel: "confirmed" }[what];
    this.wait(what);
    for (;;) {
      const event = await this.server.insist(() => this.read(), () => {}).catch(() => this.event);
      const done = event.status !== before;
      if (done || Date.now() - at > answerTime) {
        this.settle(event);
        return before && done && this.tell();
      }
      await pause(1000);
    }
  }

  // tell announces that it was confirmed or cancelled.
  tell() {
    const { event } = this;
    this.host.speak(`${this.voice.say(event.status)}: ${this.summary()}`);
    this.host.emit(`convene:${event.status}`, { event });
  }

  settle(event) {
    Object.assign(this, { event, slot: undefined, place: undefined, busy: undefined, gone: false, words: undefined });
    this.host.keep(this.turn, { sent: undefined });
    this.draw();
    if (event.message) this.retell?.({ text: event.message, html: event.html });
    if (event.status === "confirmed") this.host.supersede(event, "confirmed");
  }

  // refused shows the reason, with other times if the chosen one has gone, and with the current proposal if it changed.
  async refused(problem, again) {
    let more;
    if (problem.code === "slot_gone") {
      this.event.alternatives.slots = problem.slots ?? [];
      Object.assign(this, { gone: true, slot: undefined });
      more = this.event.alternatives.slots.length ? "gone" : "noneLeft";
    } else if (problem.code === "conflict") {
      Object.assign(this, { event: await this.read().catch(() => this.event), slot: undefined, gone: false });
    }
    this.draw();
    this.fail(problem, more, again);
    this.node.querySelector(this.gone ? "[data-kind=slot]:not(:disabled)" : ".actions button")?.focus();
  }

  // supersede shows that a later proposal replaces this one; a confirmed one is replaced only by a confirmed one.
  supersede(later) {
    if (this.replaced || (this.event.status !== "proposed" && this.event.status !== later)) return;
    this.replaced = true;
    this.draw();
  }

  summary() {
    const { voice, event, time, venue } = this;
    return [event.title, voice.day(time.start, event.timezone), voice.hours(time.start, time.end, event.timezone), venue?.name]
      .filter(Boolean).join(", ");
  }
}

const zoneName = (voice, moment, zone) =>
  voice.format({ timeZoneName: "short" }, zone).formatToParts(new Date(moment)).find(({ type }) => type === "timeZoneName")?.value ?? "";

// reasonOf is a problem in words for a person, the server's where it sent any.
function reasonOf(voice, problem) {
  const { code, status, message, after, words } = problem;
  if (words) return voice.say(words);
  if (status === 401 || status === 403) return voice.say(code === "token_expired" ? "expired" : "barred");
  if (code === "no_connection") return voice.say("offline");
  if (code === "overloaded" && after) return voice.say("busy", { n: voice.number(after) });
  return (problem instanceof Problem && message) || voice.say("failed");
}
