// Starts one of emulate's services on a free loopback port, prints its address, and ends with its standard input.
//
//   node start.js google '{"users":[{"email":"ola@example.com"}]}'
import { once } from "node:events";
import { createServer } from "node:net";
import { createEmulator } from "emulate";

const [service, seed = "{}"] = process.argv.slice(2);

/** A port that was free a moment ago: the emulator tells the port that it was given, not the one that it found. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

const port = await freePort();
const emulator = await createEmulator({ service, port, seed: { [service]: JSON.parse(seed) } });
console.log(`http://127.0.0.1:${port}`);

process.stdin.resume();
await once(process.stdin, "end");
await emulator.close();
