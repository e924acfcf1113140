// The load of `convene replay load` as a k6 script: https://k6.io
//
//   go run ./cmd/convene &
//   k6 run testdata/k6/turns.js
//   k6 run -e SERVER=http://127.0.0.1:8080 -e CLIENTS=16 -e TURNS=200 testdata/k6/turns.js
//   k6 run -e ARRIVAL=open -e RATE=20 -e DURATION=30s testdata/k6/turns.js
//
// Plain k6 reads a response as a whole, so times within a stream are not measured here: convene_turn is how long it
// took until a turn's stream had ended. Every stream is checked (ids 1 to n, turn first, one done, last), resumed at a
// random update, read again from the start, and must be the same bytes; a reconnect behind its end must get 204.
//
// Keep it to your own machine.

import http from "k6/http";
import exec from "k6/execution";
import { check } from "k6";
import { Counter, Trend } from "k6/metrics";

const server = (__ENV.SERVER || "http://127.0.0.1:8080").replace(/\/+$/, "");
const clients = Number(__ENV.CLIENTS || 8);
const turns = Number(__ENV.TURNS || 100);
const rate = Number(__ENV.RATE || 10);
const duration = __ENV.DURATION || "1m";

if (!/^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(server)) {
  throw new Error(`${server} is not on this machine; use a server on a loopback address`);
}

// New events, edits, and questions for earlier times, which move the event only where there is one.
const conversations = [
  ["Let's grab coffee with Al next week", "Can we do lunch instead?", "Do I have any earlier times?"],
  ["Coffee with Al on Tuesday at 4pm", "make it 45 minutes", "any earlier times?"],
  ["Video call with Lena next week", "show me more options"],
  ["Dinner with Priya and Theo next week", "Do you have anything earlier?", "make it two hours"],
];

const scenario =
  __ENV.ARRIVAL === "open"
    ? { executor: "constant-arrival-rate", rate, timeUnit: "1s", duration, preAllocatedVUs: clients, maxVUs: clients }
    : { executor: "shared-iterations", vus: clients, iterations: turns, maxDuration: duration };

export const options = {
  scenarios: { turns: scenario },
  thresholds: { checks: ["rate==1"], http_req_failed: ["rate==0"] },
};

const turnTime = new Trend("convene_turn", true);
const updateCount = new Counter("convene_updates");

// Each virtual user keeps a conversation going; these are its own.
let conversation = null;
let messages = [];

export default function turn() {
  if (messages.length === 0) {
    conversation = null;
    messages = [...conversations[exec.scenario.iterationInTest % conversations.length]];
  }
  const body = { message: messages.shift(), organizer: "me" };
  if (conversation) {
    body.conversationId = conversation;
  }
  const started = Date.now();
  const answer = http.post(`${server}/v1/turns`, JSON.stringify(body), {
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
  });
  turnTime.add(Date.now() - started);
  if (!check(answer, { "the turn is streamed": (r) => r.status === 200 })) {
    messages = [];
    return;
  }
  const updates = read(answer.body);
  updateCount.add(updates.length);
  check(updates, {
    "ids count from 1 without gap or repeat": (all) => all.every((u, i) => u.id === i + 1),
    "turn comes first": (all) => all.length > 0 && all[0].data.type === "turn",
    "done comes once, at the end": (all) => all.findIndex((u) => u.data.type === "done") === all.length - 1,
    "the turn did not fail": (all) => all.length > 0 && all[all.length - 1].data.outcome !== "failed",
  });
  if (updates.length === 0) {
    messages = [];
    return;
  }
  conversation = updates[0].data.conversationId;
  resume(`${server}/v1/turns/${encodeURIComponent(updates[0].data.turnId)}/events`, updates);
}

// resume reads the turn's stream again: behind a random update, from the start, and behind the end.
function resume(events, updates) {
  const after = Math.floor(Math.random() * updates.length);
  const rest = http.get(events, { headers: { "Last-Event-ID": String(after) } });
  const whole = http.get(events);
  const nothing = http.get(events, { headers: { "Last-Event-ID": String(updates.length) } });
  check(null, {
    "a resume gives the rest, byte by byte": () => same(read(rest.body), updates.slice(after)),
    "reading again gives the same bytes": () => same(read(whole.body), updates),
    "behind the end there is 204": () => nothing.status === 204,
  });
}

// read cuts a stream into updates. retry and comments belong to the connection, not to the update.
function read(stream) {
  return (stream || "")
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => !/^(retry|):/.test(line)))
    .filter((lines) => lines.some((line) => line !== ""))
    .map((lines) => ({
      bytes: lines.join("\n"),
      data: JSON.parse(field(lines, "data") || "{}"),
      id: Number(field(lines, "id")),
    }));
}

function field(lines, name) {
  return lines
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2))
    .join("\n");
}

function same(got, want) {
  return got.length === want.length && got.every((u, i) => u.bytes === want[i].bytes);
}
