"use strict";

const form = document.getElementById("ask");
const input = document.getElementById("message");
const main = document.getElementById("conversation");
let conversationId;

document.getElementById("here").textContent = location.origin;

// add appends an element with plain text; nothing that comes from the server is taken for markup.
function add(parent, tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text ?? "";
  if (className) element.className = className;
  return parent.appendChild(element);
}

async function call(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

function when(slot, zone) {
  return new Date(slot.start).toLocaleString([], { weekday: "long", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZone: zone || undefined });
}

function showEvent(parent, event) {
  const card = add(parent, "div", "", "card");
  add(card, "strong", event.title);
  add(card, "div", when(event, event.timezone) + (event.place ? " · " + event.place.name : ""));
  const status = add(card, "div", event.status, "soft");
  const options = add(card, "ul", "", "options");
  const offer = (label, choice) => {
    const button = add(add(options, "li"), "button", label);
    button.onclick = async () => {
      try {
        const booked = await call(`/v1/proposals/${encodeURIComponent(event.id)}/confirm`, choice);
        options.remove();
        status.textContent = `${booked.status}: ${when(booked, booked.timezone)}`;
      } catch (problem) {
        status.textContent = problem.message;
      }
    };
  };
  offer("Confirm", {});
  (event.alternatives?.slots ?? []).forEach((slot, i) => offer(when(slot, event.timezone), { slot: i }));
  (event.alternatives?.places ?? []).forEach((place, i) => offer(place.name, { place: i }));
  const file = add(add(options, "li"), "a", "Calendar file");
  file.href = `/v1/proposals/${encodeURIComponent(event.id)}.ics`;
}

function follow(url, parent) {
  const progress = add(parent, "div", "", "soft");
  const answer = add(parent, "div", "", "answer");
  const stream = new EventSource(url);
  stream.onmessage = ({ data }) => {
    const update = JSON.parse(data);
    switch (update.type) {
      case "acknowledgment": answer.textContent = update.text; break;
      case "progress": progress.textContent = update.text; break;
      case "message_delta":
        if (!answer.dataset.writing) answer.textContent = "";
        answer.dataset.writing = "yes";
        answer.textContent += update.text;
        break;
      case "message": answer.textContent = update.text; break;
      case "event": showEvent(parent, update.event); break;
      case "activities": update.activities.forEach((a, i) => add(parent, "div", `${i + 1}. ${a.title}${a.venue ? " · " + a.venue : ""}`)); break;
      case "navigate": Object.assign(add(parent, "a", update.url), { href: update.url.startsWith("https://") ? update.url : "#", rel: "noopener noreferrer", target: "_blank" }); break;
      case "error": progress.textContent = update.message; break;
      case "done": progress.textContent = update.outcome === "failed" ? progress.textContent : ""; stream.close(); break;
    }
  };
  stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) progress.textContent ||= "The stream ended."; };
}

form.onsubmit = async (submit) => {
  submit.preventDefault();
  const message = input.value.trim() || input.placeholder;
  input.value = "";
  const turn = add(main, "section");
  add(turn, "strong", message);
  try {
    const started = await call("/v1/turns", { message, organizer: "me", conversationId });
    conversationId = started.conversationId;
    follow(started.eventsUrl, turn);
  } catch (problem) {
    add(turn, "div", problem.message, "soft");
  }
};
