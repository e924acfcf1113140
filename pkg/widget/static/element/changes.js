// What the states of a set, its kinds of changes and their outcomes are called.
const states = {
  pending: "waits", applying: "working", applied: "made", partly: "partly", cancelled: "cancelled", expired: "late", replaced: "renewed", undone: "undone", nothing: "notMade",
};
const kinds = { create: "new", update: "edit", delete: "remove", respond: "reply", archive: "archive", send: "send" };
const scopes = { this: "scopeThis", following: "scopeFollowing", all: "scopeAll" };
const outcomes = { done: "made", failed: "notMade", skipped: "left", unknown: "unsure", held: "working" };
// Members of a thing that have a word; the others keep their names.
const members = { when: "times", location: "places", attendees: "guests", description: "notes" };

// ChangeList shows one set of changes, from its offer to its confirmation and undoing. What is ticked is confirmed, by the
// numbers of the changes and the digest of what was shown.
class ChangeList extends Panel {
  constructor(set, host) {
    super(host, { changesId: set.id });
    this.node = make("article", { part: "changes", class: "card", tabindex: "-1" });
    this.settle({ changes: set });
  }

  // settle shows a later state of the set, or what came of it or of its undoing.
  settle({ changes, applied }) {
    if (changes) this.set = changes;
    if (applied && !changes) this.set = { ...this.set, status: applied.outcome };
    Object.assign(this, { applied: applied ?? this.applied, busy: undefined, words: undefined, kept: new Set(this.set.changes.map(({ id }) => id)) });
    this.draw();
  }

  get open() {
    return this.set.status === "pending";
  }

  get undoable() {
    const { status, changes } = this.set;
    const until = this.applied?.undoUntil;
    return /^(applied|partly)$/.test(status) && (this.applied ? Boolean(until) && Date.parse(until) > Date.now() : changes.some((change) => change.undoable));
  }

  draw() {
    const { voice, set } = this;
    this.node.dataset.status = set.status;
    this.note = this.remark();
    const status = voice.say(states[set.status] ?? "waits");
    const actions = make("div", { class: "actions" });
    const act = (part, name, rest) => actions.append(make("button", { part, ...rest }, voice.say(this.busy === part ? "working" : name)));
    if (this.open) {
      act("confirm", "confirm", { class: "primary", disabled: !this.kept.size, click: () => this.send("confirm", this.chosen()) });
      act("cancel", "dismiss", { class: "quiet", click: () => this.send("cancel", {}) });
    }
    if (this.undoable) act("undo", "undo", { class: "quiet", click: () => this.send("undo", {}) });
    this.node.setAttribute("aria-label", `${voice.say("changes")}: ${status}`);
    this.node.replaceChildren(
      make("header", {}, make("h3", { part: "title" }, voice.say("changes")), make("span", { part: "status" }, status)),
      make("ol", { part: "list", role: "list" }, set.changes.map((change) => this.line(change))), this.note,
      actions.firstChild ? actions : "");
    if (this.busy) this.still();
  }

  // line is a change: what is done to which thing, each field as it is and as it will be, and who hears of it.
  line(change) {
    const { voice, set } = this;
    const said = (text, attributes) => make("p", { class: "soft", dir: "auto", ...attributes }, text);
    const name = [make("span", { class: "kind" }, voice.say(kinds[change.kind] ?? "edit")), " ", make("bdi", {}, change.title || "…")];
    const tick = this.open && this.set.changes.length > 1 && make("input", {
      type: "checkbox", "data-change": change.id, checked: this.kept.has(change.id), change: ({ target }) => this.keep(change.id, target.checked),
    });
    const came = this.applied?.changes.find(({ id }) => id === change.id);
    return make("li", { part: "change", "data-outcome": came?.outcome },
      tick ? make("label", {}, tick, ...name) : make("p", {}, ...name),
      this.differences(change),
      change.scope ? said(voice.say(scopes[change.scope] ?? "scopeAll")) : "",
      this.open && change.affects.length ? said(voice.say("hear", { names: voice.list(change.affects.map((person) => person.name || person.email)) })) : "",
      this.open && !change.undoable ? said(voice.say("final"), { class: "problem" }) : "",
      came && (came.outcome !== "done" || set.status !== "undone") ? said(`${voice.say(outcomes[came.outcome] ?? "unsure")} ${came.reason ?? ""}`.trim(), { class: came.outcome === "done" ? "soft" : "problem" }) : "");
  }

  // differences are the fields that change. The title of what is new stands above them.
  differences({ before, after, title }) {
    const [was, is] = [before, after].map((thing) => this.read(thing));
    const differs = (name) => (was[name] ?? "") !== (is[name] ?? "") && (name === "when" || after) && (before || name !== "title" || is[name] !== title);
    return Object.keys({ ...was, ...is }).filter(differs).map((name) => make("p", { class: "field" },
      make("span", { class: "soft" }, `${members[name] ? this.voice.say(members[name]) : name}: `),
      was[name] ? make("del", { dir: "auto" }, was[name]) : "", " ", is[name] ? make("ins", { dir: "auto" }, is[name]) : ""));
  }

  // read is what can differ of a thing, as text.
  read(thing) {
    if (typeof thing !== "object" || !thing) return thing === null || thing === undefined ? {} : { "=": String(thing) };
    const { id, series, pending, start, end, allDay, ...rest } = thing;
    const event = typeof allDay === "boolean";
    const texts = event ? { when: this.span(start, end, allDay) } : { start: start ?? "", end: end ?? "" };
    const text = (value) => (Array.isArray(value) ? value.map(text).join(", ") : value?.email ? `${value.name} <${value.email}>`.trim() : typeof value === "object" ? JSON.stringify(value ?? "") : String(value));
    for (const [name, value] of Object.entries(rest)) texts[name] = text(value);
    return texts;
  }

  // span is an event's time, in the zone of the conversation or at the offset that it carries. Whole days end exclusively.
  span(start, end, allDay) {
    const { voice } = this;
    if (allDay) {
      const days = [start, new Date(Date.parse(end) - 1)].map((day) => voice.day(day, "UTC"));
      return [...new Set(days)].join(" – ");
    }
    const zone = this.host.zone || (/Z$/.test(start) ? "UTC" : start.slice(-6));
    return `${voice.day(start, zone)}, ${voice.hours(start, end, zone)}`;
  }

  keep(id, kept) {
    this.kept[kept ? "add" : "delete"](id);
    this.node.querySelector("[part=confirm]").disabled = !this.kept.size;
  }

  // chosen is the body of a confirmation. Only those that are ticked are named, if some are not.
  chosen() {
    const { digest, changes } = this.set;
    const only = changes.map(({ id }) => id).filter((id) => this.kept.has(id));
    return only.length === changes.length ? { digest } : { digest, only };
  }

  async send(what, body, renewed) {
    if (this.busy) return;
    this.busy = what;
    this.draw();
    this.node.focus({ preventScroll: true });
    try {
      const path = `/v1/changes/${encodeURIComponent(this.set.id)}/${what}`;
      const { changes, applied } = await this.server.insist(() => this.server.post(path, body), (problem) => this.say(() => reasonOf(this.voice, problem)));
      const status = { undo: "undone", cancel: "cancelled" }[what];
      this.settle({ changes: changes ?? (status && { ...this.set, status }), applied });
      this.host.speak(this.node.getAttribute("aria-label"));
    } catch (problem) {
      this.busy = undefined;
      if (problem.changes) this.settle({ changes: problem.changes });
      this.draw();
      this.fail(problem, undefined, renewed ? undefined : () => this.send(what, body, true));
    }
  }

  // refresh shows the set as it stands, after a reload.
  async refresh() {
    const now = await this.server.fetch(`/v1/changes/${encodeURIComponent(this.set.id)}`).then((response) => response.json()).catch(() => ({}));
    if (now.changes && !this.busy) this.settle(now);
  }
}
