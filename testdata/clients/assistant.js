// A chat of the Vercel AI SDK and an agent of AG-UI hear the same turn of the assistant, as
//   node assistant.js SERVER
// The data parts of the one and the activities of the other are printed as one JSON object.
import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport, readUIMessageStream } from "ai";

const [server] = process.argv.slice(2);

const chat = new DefaultChatTransport({ api: `${server}/v1/chat` });
const stream = await chat.sendMessages({ chatId: "c1", trigger: "submit-message", messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Clear Friday" }] }] });
let message;
for await (const read of readUIMessageStream({ stream })) message = read;
const parts = message.parts.filter(({ type }) => type.startsWith("data-")).map(({ type, id, data }) => ({ type, id, data }));

const agent = new HttpAgent({ url: `${server}/v1/agui` });
agent.addMessage({ id: "m1", role: "user", content: "Clear Friday" });
const { result } = await agent.runAgent({ runId: "one" });
const activities = agent.messages.filter(({ role }) => role === "activity").map(({ id, activityType, content }) => ({ type: activityType, id, data: content }));

console.log(JSON.stringify({ parts, outcome: message.metadata.outcome, activities, result: result.outcome }));
