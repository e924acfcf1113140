// What a client in TypeScript gets of /client.d.ts: this compiles under --strict, and the lines that expect an error
// have one.
import { HttpAgent, runHttpRequest, transformHttpEventStream, type Message, type RunAgentInput } from "@ag-ui/client";
import type { UIMessage } from "ai";
import type { ActivityContent, AgentState, DataParts, MessageMetadata, Operations, Problem, Update, UpdateOf } from "./client";

// An update is told apart by its type.
export function words(update: Update): string {
  switch (update.type) {
    case "message":
      return update.text;
    case "event": {
      const { title, start, place, participants, alternatives } = update.event;
      // @ts-expect-error a proposal has no such member
      update.event.when;
      // @ts-expect-error a place may be missing
      place.name;
      const names = participants.map(({ name }) => name);
      return [title, start.slice(0, 10), place?.name, ...names, alternatives.slots.length].join(" ");
    }
    case "done":
      return update.receipt.stages.map(({ name, ms }) => `${name} ${ms.toFixed()}`).join() || update.outcome;
    case "changes": {
      const [first] = update.changes.changes;
      // @ts-expect-error a set may hold nothing, and what writes a change is nobody's to see
      first?.deed;
      return update.changes.status === "pending" ? `${update.changes.digest}: ${first?.title}` : update.changes.id;
    }
    case "choices":
      return [update.question, ...update.options.map(({ id, label, detail }) => `${id} ${label} ${detail ?? ""}`)].join();
    case "applied":
      return update.changes.map(({ id, outcome, reason }) => `${id} ${outcome} ${reason ?? ""}`).join() + (update.undoUntil ?? "");
    case "plan":
      return update.steps.map(({ humanSummary, status }) => `${humanSummary}: ${status}`).join();
    case "result":
      return update.response.error?.message ?? update.response.display.title;
    case "error":
      return update.retryable ? `${update.message} (${update.retryAfterSeconds ?? 0} s)` : update.message;
    default:
      // @ts-expect-error not all other updates have a text
      return update.text;
  }
}

// @ts-expect-error there is no such update
export const unknown: Update = { type: "nothing" };

export const mode: UpdateOf<"template">["mode"] = "edit";
// Words may become more; editors suggest those that are known.
export const outcome: UpdateOf<"done">["outcome"] = "something new";

// A request and its answers, by the name of the operation.
type Answers<K extends keyof Operations> = Operations[K]["answers"];

export async function start(body: Operations["startTurn"]["body"]): Promise<Answers<"startTurn">[202] | Problem> {
  const method: "POST" = "POST" satisfies Operations["startTurn"]["method"];
  const path: Operations["startTurn"]["path"] = "/v1/turns";
  return (await fetch(path, { method, body: JSON.stringify(body) })).json();
}

export const turn = start({ message: "Coffee with Al", organizer: { name: "Mia", timezone: "Europe/Berlin" }, participants: ["al"] });
// @ts-expect-error an answer names its question
export const nameless = start({ answer: { option: "1" } });
export const alone = start({ message: "Coffee with Al" });

// @ts-expect-error the organizer needs a name
export const unnamed = start({ message: "Coffee with Al", organizer: { timezone: "Europe/Berlin" } });

// The parts of a message of the Vercel AI SDK.
export function proposal(message: UIMessage<MessageMetadata, DataParts>): string | undefined {
  for (const part of message.parts) {
    if (part.type === "data-preview") console.log(part.data.text);
    if (part.type === "data-candidates") console.log(part.data.slots + part.data.places);
    if (part.type === "data-changes") console.log(part.data.changes.digest);
    if (part.type === "data-event") return part.data.event.id;
  }
  return message.metadata?.outcome;
}

// The messages and the state of an agent of AG-UI.
export function proposals(messages: Message[], state: AgentState): string[] {
  if (state.turn?.preview) console.log(state.turn.preview);
  return messages.flatMap((message) => {
    if (message.role === "activity" && message.activityType === "convene.changes")
      return (message.content as ActivityContent["convene.changes"]).changes.changes.map(({ title }) => title);
    if (message.role !== "activity" || message.activityType !== "convene.event") return [];
    return [(message.content as ActivityContent["convene.event"]).event.id];
  });
}

// An agent that goes on after its connection broke, as the README has it.
export class ConveneAgent extends HttpAgent {
  connect({ state }: RunAgentInput) {
    const events = new URL(`/v1/turns/${state.turn.turnId}/events?protocol=ag-ui`, this.url).href;
    return transformHttpEventStream(runHttpRequest(() => this.fetch(events, { headers: this.headers })));
  }
}

// The element on a page.
export function embed() {
  const scheduler = document.createElement("convene-scheduler");
  scheduler.addEventListener("convene:confirmed", ({ detail }) => console.log(detail.event.start));
  document.addEventListener("convene:update", ({ detail }) => console.log(words(detail.update)));
  // @ts-expect-error a message is text
  void scheduler.ask(5);
  return scheduler.ask("Coffee with Al").then(() => scheduler.reset());
}
