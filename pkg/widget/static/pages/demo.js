"use strict";

const at = (id) => document.getElementById(id);
const scheduler = at("scheduler");

// A server with keys wants a token; behind the # it stays in this browser.
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token) scheduler.setAttribute("token", token);

for (const place of document.querySelectorAll(".here")) place.textContent = location.origin;

// add appends an element with plain text; nothing that comes from the server is taken for markup.
function add(parent, tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return parent.appendChild(element);
}

// People: one of them is who asks.

const examples = {
  en: ({ near, far }) => [`Let’s grab coffee with ${near} next week`, `Call with ${far} on Wednesday`, `Dinner with ${near} on Friday at 7pm`, "What’s happening this weekend?"],
  es: ({ near, far }) => [`Café con ${near} la próxima semana`, `Llamada con ${far} el miércoles`, `Cena con ${near} el viernes a las 7 de la tarde`],
  he: ({ near, far }) => [`קפה עם ${near} בשבוע הבא`, `שיחה עם ${far} ביום רביעי`, `ארוחת ערב עם ${near} ביום שישי`],
};

const first = (person) => person.name.split(" ")[0];
const initials = (person) => person.name.split(/\s+/).map((word) => word[0]).slice(0, 2).join("");
let everybody = [];

function choose(person, pill) {
  for (const other of at("people").children) {
    other.setAttribute("aria-checked", String(other === pill));
    other.tabIndex = other === pill ? 0 : -1;
  }
  const zone = person.timezone || "UTC";
  const clock = new Date().toLocaleTimeString("en", { hour: "numeric", minute: "2-digit", timeZone: zone });
  const calendar = person.calendarType ? `${person.calendarType} calendar` : "";
  at("about").textContent = [person.name, person.location?.label, calendar, `${clock} there`].filter(Boolean).join(" · ");
  if (scheduler.getAttribute("organizer") !== person.id) scheduler.reset();
  scheduler.setAttribute("organizer", person.id);
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

function showPeople(people) {
  everybody = people.sort((a, b) => (b.id === "me") - (a.id === "me"));
  everybody.forEach((person, i) => {
    const pill = add(at("people"), "button", "", "person");
    pill.type = "button";
    pill.setAttribute("role", "radio");
    pill.style.setProperty("--hue", (i * 137) % 360);
    add(pill, "i", initials(person)).setAttribute("aria-hidden", "true");
    pill.append(first(person));
    pill.setAttribute("aria-label", person.name);
    pill.title = person.name;
    pill.onclick = () => choose(person, pill);
  });
  at("people").firstElementChild?.click();
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

fetch("/v1/people", { headers: token ? { Authorization: `Bearer ${token}` } : {} })
  .then(async (answer) => (answer.ok ? showPeople((await answer.json()).people) : Promise.reject(new Error((await answer.json()).detail))))
  .catch((problem) => { at("about").textContent = `The people could not be read: ${problem.message}`; });

// Language and appearance.

at("locale").onchange = () => {
  scheduler.setAttribute("locale", at("locale").value);
  const chosen = everybody.find(({ id }) => id === scheduler.getAttribute("organizer"));
  if (chosen) suggest(chosen);
};
at("theme").onchange = () => {
  document.documentElement.dataset.theme = at("theme").value;
  scheduler.setAttribute("theme", at("theme").value);
};
scheduler.setAttribute("locale", at("locale").value);

// The stream: each update with the time since the message was sent.

const turns = new Map();
const seconds = (ms) => `+${(ms / 1000).toFixed(3)}`;

scheduler.addEventListener("convene:turn", ({ detail }) => {
  turns.set(detail.turnId, { sentAt: detail.sentAt, marks: [] });
  at("updates").querySelector(".empty")?.remove();
  add(at("updates"), "li", `“${detail.message}”`, "turn").dir = "auto";
});

scheduler.addEventListener("convene:update", ({ detail: { update, turnId } }) => {
  const turn = turns.get(turnId);
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

// line is one update, to be opened for the whole of it. Deltas that follow one another share theirs.
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

// The receipt: the server's stages one after the other, and below them when their results were here.

const svg = (parent, tag, attributes, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return parent.appendChild(node);
};

const stageNames = { classify: "Classify", template: "Understand", candidates: "Calendars, places", select: "Choose, write", activities: "Look around" };
const markNames = { acknowledgment: "acknowledged", message_delta: "first words", event: "proposal", done: "done" };
const written = (ms) => (ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`);

function drawReceipt({ outcome, receipt }, marks) {
  const shown = marks.filter(({ type }) => type in markNames);
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
    svg(chart, "text", { x: 0, y: y + 17 }, stageNames[name] ?? name);
    svg(chart, "rect", { class: "bar", x: x(begun), y: y + 6, width: Math.max(x(ms) - left, 2), height: 14, rx: 3 });
    svg(chart, "text", { class: "dim", x: Math.max(x(begun + ms), x(begun) + 2) + 8, y: y + 17 }, written(ms));
    begun += ms;
    y += row;
  }
  svg(chart, "line", { class: "axis", x1: 0, x2: wide, y1: y + 8, y2: y + 8 });
  y += 14;
  for (const { type, ms } of shown) {
    svg(chart, "text", { class: "dim", x: 0, y: y + 17 }, markNames[type]);
    svg(chart, "circle", { class: "dot", cx: x(ms), cy: y + 13, r: 5 });
    svg(chart, "text", { class: "dim", x: x(ms) + 12, y: y + 17 }, written(ms));
    y += row;
  }
  const { tokens, modelCalls, degraded = [] } = receipt;
  const words = [`${outcome}, ${written(total)} on the server`, `${modelCalls} model ${modelCalls === 1 ? "call" : "calls"}`,
    `${(tokens.input + tokens.output).toLocaleString("en")} tokens`, ...degraded].join(" · ");
  add(figure, "figcaption", words, "soft").id = "receipt-words";
}
