// HttpAgent of AG-UI against a server, as
//   node agent.js SERVER SERVER-WHOSE-CONNECTIONS-BREAK SERVER-THAT-FAILS
// What the agents hold in the end is printed as one JSON object.
import { HttpAgent, runHttpRequest, transformHttpEventStream } from "@ag-ui/client";

const [server, broken, failing] = process.argv.slice(2);
console.error = () => {}; // the client writes its errors there, too
process.on("unhandledRejection", () => {}); // and leaves those of a broken connection to nobody

// ConveneAgent can be connected again to the turn that it was told of last.
class ConveneAgent extends HttpAgent {
  connect({ state }) {
    const events = new URL(`/v1/turns/${state.turn.turnId}/events?protocol=ag-ui`, this.url);
    return transformHttpEventStream(runHttpRequest(() => this.fetch(events, { headers: this.headers })));
  }
}

const agentFor = (url) => new ConveneAgent({ url: `${url}/v1/agui`, initialState: { theme: "dark" } });

// run is one run, with what it told on the way.
async function run(agent, text, runId, forwardedProps = { organizer: "me" }) {
  agent.addMessage({ id: `of ${runId}`, role: "user", content: text });
  return told(agent, (subscriber) => agent.runAgent({ runId, forwardedProps }, subscriber));
}

async function told(agent, start) {
  const told = { previews: [], steps: [], runs: [] };
  const subscriber = {
    onRunStartedEvent: ({ event }) => void told.runs.push([event.threadId, event.runId]),
    onStepStartedEvent: ({ event }) => void told.steps.push(`+${event.stepName}`),
    onStepFinishedEvent: ({ event }) => void told.steps.push(`-${event.stepName}`),
    onStateChanged: ({ state }) => state.turn?.preview !== undefined && void told.previews.push(state.turn.preview),
    onRunFinishedEvent: ({ event, outcome }) => void Object.assign(told, { outcome, usage: event.usage }),
    onRunErrorEvent: ({ event }) => void (told.failed = { code: event.code, message: event.message }),
  };
  try {
    const { result, newMessages } = await start(subscriber);
    Object.assign(told, { result, newMessages });
  } catch (error) {
    told.error = { message: error.message, status: error.status };
  }
  return { ...told, thread: agent.threadId, messages: structuredClone(agent.messages), state: structuredClone(agent.state) };
}

const results = {};

const agent = agentFor(server);
results.first = await run(agent, "Let's grab coffee with Al next week", "one");
results.second = await run(agent, "can we do lunch instead?", "two");

results.refused = await run(agentFor(server), "Coffee with Al", "three", { organizer: "zoe" });
results.failed = await run(agentFor(failing), "Coffee with Al", "four");

// The connection breaks; what is left of the turn is thrown away, and all of it told again.
const cut = agentFor(broken);
results.cut = await run(cut, "Coffee with Al next week", "five");
cut.setMessages(cut.messages.filter(({ id }) => !id.startsWith(cut.state.turn.turnId)));
results.connected = await told(cut, (subscriber) => cut.connectAgent({}, subscriber));

console.log(JSON.stringify(results));
