"use strict";

const at = (id) => document.getElementById(id);
const scheduler = at("scheduler");

// kept is storage that survives a reload in this tab, or without it lives as long as the page.
const kept = (() => {
  try {
    return sessionStorage;
  } catch {
    const values = new Map();
    return { getItem: (name) => values.get(name), setItem: (name, value) => values.set(name, value), removeItem: (name) => values.delete(name) };
  }
})();

// A server with keys needs one, or a browser's token. It is kept in this tab, not in the address.
const credential = "convene-credential";
const brought = new URLSearchParams(location.hash.slice(1)).get("token");
if (brought) {
  kept.setItem(credential, brought);
  history.replaceState(null, "", location.pathname);
}

// This script runs before that of the element, which so begins as whom it was.
const asked = "convene-organizer";
if (kept.getItem(asked)) scheduler.setAttribute("organizer", kept.getItem(asked));
if (kept.getItem(credential)) scheduler.setAttribute("token", kept.getItem(credential));

for (const place of document.querySelectorAll(".here")) place.textContent = location.origin;

// add appends an element with plain text, never markup.
function add(parent, tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return parent.appendChild(element);
}

// Language and appearance. The page's own words are in index.html and demo-words.js.

const spoken = [...document.querySelectorAll("[data-say]")];
for (const { dataset, textContent } of spoken) pageWords.en[dataset.say] = textContent;
const say = (key, x) => (pageWords[at("locale").value][key] ?? pageWords.en[key] ?? key).replace("{x}", x);

function speak() {
  const locale = at("locale").value;
  document.documentElement.lang = locale;
  document.documentElement.dir = locale === "he" ? "rtl" : "ltr";
  for (const node of spoken) node.textContent = say(node.dataset.say);
  scheduler.setAttribute("locale", locale);
  const chosen = everybody.find(({ id }) => id === scheduler.getAttribute("organizer"));
  if (chosen) describe(chosen);
  if (latest) drawReceipt(...latest);
}

function appear() {
  document.documentElement.dataset.theme = at("theme").value;
  scheduler.setAttribute("theme", at("theme").value);
}

// People: one of them is the organizer.

const examples = {
  en: ({ near, far }) => [`Let’s grab coffee with ${near} next week`, `Call with ${far} on Wednesday`, `Dinner with ${near} on Friday at 7pm`, "What’s happening this weekend?", "What’s my week like?"],
  es: ({ near, far }) => [`Café con ${near} la próxima semana`, `Llamada con ${far} el miércoles`, `Cena con ${near} el viernes a las 7 de la tarde`, "¿Cómo está mi semana?"],
  he: ({ near, far }) => [`קפה עם ${near} בשבוע הבא`, `שיחה עם ${far} ביום רביעי`, `ארוחת ערב עם ${near} ביום שישי`, "איך נראה השבוע שלי?"],
};

const first = (person) => person.name.split(" ")[0];
const initials = (person) => person.name.split(/\s+/).map((word) => word[0]).slice(0, 2).join("");
let everybody = [];

function choose(person, pill) {
  for (const other of at("people").children) {
    other.setAttribute("aria-checked", String(other === pill));
    other.tabIndex = other === pill ? 0 : -1;
  }
  if (scheduler.getAttribute("organizer") !== person.id) scheduler.reset();
  scheduler.setAttribute("organizer", person.id);
  kept.setItem(asked, person.id);
  describe(person);
}

function describe(person) {
  const clock = person.timezone && new Date().toLocaleTimeString(at("locale").value, { hour: "numeric", minute: "2-digit", timeZone: person.timezone });
  const about = [person.name, person.location?.label, person.calendarType && say(`${person.calendarType}Calendar`), clock && say("there", clock)];
  at("about").textContent = person.bound ? say("as", person.name) : about.filter(Boolean).join(" · ");
  suggest(person);
}

function suggest(person) {
  const only = (p) => everybody.filter((other) => first(other) === first(p)).length === 1; // "Sam" alone would be asked about
  const others = everybody.filter((other) => other !== person && only(other) && !other.bookingLink);
  const near = others.find((other) => other.timezone === person.timezone) ?? others[0];
  const far = others.find((other) => other.timezone !== person.timezone && other !== near) ?? near;
  at("examples").replaceChildren();
  if (!near) return;
  for (const text of examples[at("locale").value]({ near: first(near), far: first(far) })) {
    const button = add(add(at("examples"), "li"), "button", text);
    button.dir = "auto";
    button.onclick = () => {
      scheduler.removeAttribute("conversation"); // an example begins anew
      scheduler.ask(text);
    };
  }
}

// showPeople offers the people who may be the organizer, the usual one first; others can be invited.
function showPeople(people, others = [], usual = undefined) {
  people.sort((a, b) => (b.id === usual) - (a.id === usual));
  everybody = [...people, ...others];
  at("people").replaceChildren();
  people.forEach((person, i) => {
    const pill = add(at("people"), "button", "", "person");
    pill.type = "button";
    pill.setAttribute("role", "radio");
    pill.style.setProperty("--hue", (i * 137) % 360);
    add(pill, "i", initials(person)).setAttribute("aria-hidden", "true");
    pill.append(first(person));
    pill.setAttribute("aria-label", person.name);
    pill.title = person.name;
    pill.dataset.id = person.id;
    pill.onclick = () => choose(person, pill);
  });
  const pills = [...at("people").children];
  (pills.find(({ dataset }) => dataset.id === scheduler.getAttribute("organizer")) ?? pills[0])?.click();
}

// The arrow keys move within the group, as in any group of radio buttons.
at("people").onkeydown = (key) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key.key];
  if (!step) return;
  key.preventDefault();
  const pills = [...at("people").children];
  const next = pills[(pills.indexOf(document.activeElement) + step + pills.length) % pills.length];
  next.focus();
  next.click();
};

// The door. A key sees all people; a browser's token names its own.

// bound is the people of a token; undefined for a key. Only the server can verify them.
function bound(credential) {
  try {
    const said = JSON.parse(atob(credential.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
    const people = (ids) => (ids ?? []).map((id) => ({ id, name: id, bound: true }));
    return { organizers: people(said.organizers), participants: people(said.participants) };
  } catch {
    return undefined;
  }
}

// shut shows whether the server refuses access, and why.
function shut(why) {
  at("door").hidden = !why;
  at("door-why").textContent = why ?? "";
  at("leave").parentElement.hidden = Boolean(why);
  at("leave").hidden = !kept.getItem(credential);
  for (const part of document.querySelectorAll(".closed")) part.hidden = !why && !kept.getItem(credential);
}

async function enter() {
  const shown = kept.getItem(credential) ?? "";
  const token = bound(shown);
  const path = token?.organizers.length ? `/v1/people/${encodeURIComponent(token.organizers[0].id)}/calendars` : "/v1/people";
  const answer = await fetch(path, { headers: shown ? { Authorization: `Bearer ${shown}` } : {}, cache: "no-store" });
  const said = await answer.json();
  const refused = answer.status === 401 || answer.status === 403;
  const empty = refused && !scheduler.shadowRoot?.querySelector(".turn");
  for (const part of [at("people"), scheduler, at("offer")]) part.hidden = empty;
  at("talk-title").dataset.say = empty ? "begin" : "you";
  at("talk-title").textContent = say(at("talk-title").dataset.say);
  if (refused) return shut(shown ? said.detail : say("closed"));
  if (!answer.ok && !token) throw new Error(said.detail);
  shut();
  at("credential").value = "";
  if (shown) scheduler.setAttribute("token", shown);
  showPeople(token?.organizers ?? said.people, token?.participants, said.organizer);
}

const tryDoor = () => enter().catch((problem) => { at("about").textContent = say("unread", problem.message); });

at("door").onsubmit = (submit) => {
  submit.preventDefault();
  const given = at("credential").value.trim();
  at("credential").select();
  // A key has only characters that a header can carry.
  if (/[^!-~]/.test(given)) return shut(say("noKey"));
  kept.setItem(credential, given);
  return tryDoor();
};
at("leave").onclick = () => {
  kept.removeItem(credential);
  scheduler.reset();
  scheduler.removeAttribute("token");
  at("updates").replaceChildren();
  return tryDoor();
};
scheduler.addEventListener("convene:error", ({ detail }) => {
  if (detail.status === 401) shut(say("stale"));
});
// The stream: each update with the time since the message was sent.

const turns = new Map();
const seconds = (ms) => `+${(ms / 1000).toFixed(3)}`;

scheduler.addEventListener("convene:turn", ({ detail }) => {
  turns.set(detail.turnId, { sentAt: detail.sentAt, marks: [] });
  at("updates").querySelector(".empty")?.remove();
  add(at("updates"), "li", `“${detail.message}”`, "turn").dir = "auto";
});

scheduler.addEventListener("convene:update", ({ detail: { update, turnId } }) => {
  const turn = turns.get(turnId) ?? { sentAt: performance.now(), marks: [] }; // from before the page was loaded again
  turns.set(turnId, turn);
  const ms = performance.now() - turn.sentAt;
  if (update.type === "message_delta" && turn.deltas) {
    turn.deltas.more(update.text);
  } else {
    const row = line(update, ms);
    turn.deltas = update.type === "message_delta" ? row : undefined;
    turn.marks.push({ type: update.type, ms });
  }
  at("updates").scrollTop = at("updates").scrollHeight;
  if (update.type === "done") drawReceipt(update, turn.marks);
});

// line is one update, which opens to its JSON. Successive deltas share one line.
function line({ type, ...fields }, ms) {
  const box = add(add(at("updates"), "li"), "details");
  const summary = add(box, "summary");
  add(summary, "time", seconds(ms));
  add(summary, "b", type);
  const short = add(summary, "span", brief(type, fields));
  const whole = add(box, "pre", JSON.stringify(fields, null, 2));
  let count = 1, text = fields.text;
  return {
    more(piece) {
      text += piece;
      short.textContent = `${++count} pieces: ${text}`;
      whole.textContent = text;
    },
  };
}

const brief = (type, fields) => {
  switch (type) {
    case "template": return fields.template.title;
    case "candidates": return `${fields.slots} times, ${fields.places} places`;
    case "event": return `${fields.event.title}, ${fields.event.start}`;
    case "done": return fields.outcome;
    default: return fields.text ?? fields.message ?? JSON.stringify(fields);
  }
};

// The receipt: the server's stages in order, and below them the arrival times of their results.

const svg = (parent, tag, attributes, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return parent.appendChild(node);
};

const marked = ["acknowledgment", "message_delta", "event", "done"];
const written = (ms) => (ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`);

let latest;
function drawReceipt({ receipt }, marks) {
  latest = [{ receipt }, marks];
  const shown = marks.filter(({ type }) => marked.includes(type));
  const total = receipt.stages.reduce((sum, { ms }) => sum + ms, 0);
  const end = Math.max(total, ...shown.map(({ ms }) => ms), 1);
  const figure = at("receipt");
  const wide = Math.max(figure.clientWidth - 40, 240);
  const [left, row] = [132, 26];
  const width = wide - left - 68; // there is room for a label behind the last mark
  const x = (ms) => left + (ms / end) * width;
  const height = (receipt.stages.length + shown.length) * row + 34;
  figure.replaceChildren();
  const chart = svg(figure, "svg", { viewBox: `0 0 ${wide} ${height}`, role: "img", "aria-labelledby": "receipt-words" });
  let begun = 0, y = 0;
  for (const { name, ms } of receipt.stages) {
    svg(chart, "text", { x: 0, y: y + 17 }, say(name));
    svg(chart, "rect", { class: "bar", x: x(begun), y: y + 6, width: Math.max(x(ms) - left, 2), height: 14, rx: 3 });
    svg(chart, "text", { class: "dim", x: Math.max(x(begun + ms), x(begun) + 2) + 8, y: y + 17 }, written(ms));
    begun += ms;
    y += row;
  }
  svg(chart, "line", { class: "axis", x1: 0, x2: wide, y1: y + 8, y2: y + 8 });
  y += 14;
  for (const { type, ms } of shown) {
    svg(chart, "text", { class: "dim", x: 0, y: y + 17 }, say(type));
    svg(chart, "circle", { class: "dot", cx: x(ms), cy: y + 13, r: 5 });
    svg(chart, "text", { class: "dim", x: x(ms) + 12, y: y + 17 }, written(ms));
    y += row;
  }
  const { tokens, modelCalls, degraded = [] } = receipt;
  const all = (tokens.input + tokens.output).toLocaleString(at("locale").value);
  const words = [say("server", written(total)), say("calls", modelCalls), say("tokens", all), ...degraded].join(" · ");
  add(figure, "figcaption", words, "soft").id = "receipt-words";
}

for (const [id, change] of [["locale", speak], ["theme", appear]]) {
  const name = `convene-${id}`;
  const usual = id === "locale" ? navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in pageWords) : "";
  at(id).value = kept.getItem(name) ?? usual ?? "en";
  at(id).onchange = () => {
    kept.setItem(name, at(id).value);
    change();
  };
  change();
}
tryDoor();
