// What the three servers have in common: the calls, and an HTTP server around them. calls.json is what Convene itself
// sends for one turn: the same prompts, documents and tools.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const calls = JSON.parse(readFileSync(new URL("calls.json", import.meta.url), "utf8"));

export const { classify, template, select } = calls;

/** The user's part of a call: the document, with what the user has just written. */
export const documentOf = (call, message) => JSON.stringify({ ...call.document, message });

/** Where the model is; it takes any key. */
export const model = { baseURL: process.env.OPENAI_BASE_URL, apiKey: "none" };

/** Answers with Server-Sent Events; send writes one. */
export function openStream(res) {
  res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  return (update) => res.write(`data: ${JSON.stringify(update)}\n\n`);
}

/** Ends a stream, so that its reader knows that nothing is missing. */
export const closeStream = (res) => res.end("data: [DONE]\n\n");

/** Serves POST /turn on a free loopback port, and prints where. turn answers the message. */
export function serve(turn) {
  const server = createServer(async (req, res) => {
    if (req.method !== "POST" || req.url !== "/turn") {
      res.writeHead(404).end();
      return;
    }
    try {
      const { message } = await json(req);
      await turn(message, res);
    } catch (error) {
      console.error(error);
      res.destroy();
    }
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
  process.once("SIGTERM", () => process.exit(0));
}
