/**
 * Sends hostile bodies to webhook receivers, and valid deliveries among them, each several times. Every valid event must be
 * handled exactly once, by a process that survives within little memory.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type SignedWebhook, signWebhook } from "#current/webhooks";
import { call, type Report } from "./report.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const SERVERS = ["node:http", "Express", "Fastify"];

/** The maximum memory of a receiver, in bytes. An idle one with Express or Fastify uses about 110 MB. */
const MOST_MEMORY = 400_000_000;

/** The maximum heap of a receiver, in megabytes. */
const HEAP = 96;

/** Senders at the same time, of each kind. */
const SENDERS = 4;

/** How long a stalled body keeps its connection, in milliseconds. */
const STALL = 2_000;

interface Statistics {
  readonly runs: Readonly<Record<string, number>>;
  readonly peakBytes: number;
}

/** Tests a receiver with each server in turn, until the time is over. */
export async function soakReceivers(report: Report, end: number): Promise<void> {
  const share = (end - Date.now()) / SERVERS.length;
  for (const server of SERVERS) await soakReceiver(report, server, Date.now() + share);
}

async function soakReceiver(report: Report, server: string, end: number): Promise<void> {
  report.begin(`receiver with ${server}`);
  const { url, child } = await startReceiver(server);
  let exited = false;
  child.once("exit", (code, signal) => {
    exited = true;
    if (signal === "SIGKILL") return;
    report.deaths += 1;
    report.violation(`the receiver with ${server} exited: ${code ?? signal}`);
  });
  const valid: string[] = [];
  let hostile = 0;
  const repeat = async (send: () => Promise<void>): Promise<void> => {
    while (!exited && Date.now() < end) await send();
  };
  await Promise.all(
    Array.from({ length: SENDERS }, (_, index) => [
      repeat(() => sendValid(report, url, valid)),
      repeat(async () => {
        hostile += 1;
        await sendHostile(report, url, index);
      }),
    ]).flat(),
  );
  if (exited) return;
  const { runs, peakBytes } = (await (await fetch(url)).json()) as Statistics;
  report.memory(peakBytes);
  const wrong = valid.filter((id) => runs[id] !== 1);
  if (wrong.length > 0)
    report.violation(`${wrong.length} events did not run exactly once, first ${runs[wrong[0] ?? ""]}`);
  if (Object.keys(runs).length !== valid.length) report.violation("an event ran that was not sent");
  if (peakBytes > MOST_MEMORY) report.violation(`the receiver needed ${Math.round(peakBytes / 1e6)} MB`);
  report.progress(
    `${server}: ${valid.length} valid events, each run once; ${hostile} hostile requests; ${Math.round(peakBytes / 1e6)} MB`,
  );
  child.kill("SIGKILL");
}

async function startReceiver(server: string): Promise<{ url: string; child: ChildProcess }> {
  const file = fileURLToPath(new URL("receiver-process.ts", import.meta.url));
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP}`, file, SECRET, server], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}/`, child };
}

/** Delivers an event several times at once, as retries and redeliveries do, until it is handled. */
async function sendValid(report: Report, url: string, valid: string[]): Promise<void> {
  const id = `evt_${valid.length}`;
  valid.push(id);
  const data = "é".repeat(Math.random() < 0.1 ? 200_000 : Math.random() * 2_000);
  const delivery = await signWebhook({ type: "order.paid", id, data }, { secret: SECRET });
  const copies = 1 + Math.floor(Math.random() * 3);
  const deliver = async (): Promise<void> => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const status = (await call(report, url, { method: "POST", ...delivery }))?.status;
      if (status === 204) return;
      if (status !== 409) report.violation(`a valid delivery got ${status ?? "no response"}`);
      await sleep(20);
    }
    report.violation("a valid event was not handled after 20 deliveries");
  };
  await Promise.all(Array.from({ length: copies }, deliver));
}

/** The ways to send a hostile body: what is written, and whether the sender waits for the response. */
const HOSTILE: readonly ((signed: SignedWebhook) => Hostile)[] = [
  ({ headers }) => chunked(headers, `${"1\r\nx\r\n".repeat(Math.random() * 1_000_000)}0\r\n\r\n`),
  ({ headers }) => chunked(headers, `${"1\r\n[\r\n".repeat(50_000)}0\r\n\r\n`),
  ({ headers, body }) => chunked(headers, `10000\r\n${body}`, "stall"),
  ({ headers, body }) => sized(headers, 1_000_000, body, "stall"),
  ({ headers, body }) => sized(headers, 1_000_000, body, "abort"),
  ({ headers }) => chunked(headers, `${"1\r\nx\r\n".repeat(10_000)}`, "abort"),
  ({ headers }) => chunked(headers, `100000\r\n${"x".repeat(0x100000)}\r\n`.repeat(4)),
  ({ headers }) => sized(headers, 500_000_000, "x".repeat(3_000_000)),
  ({ headers }) => sized(headers, 1_000_000, "[".repeat(1_000_000)),
  ({ headers }) => sized(headers, 999_999, `[${"[],".repeat(333_332)}0]`),
  ({ headers, body }) => sized({ ...headers, "webhook-signature": "v1,".repeat(1_300) }, body.length, body),
  ({ headers, body }) => sized({ ...headers, "webhook-timestamp": "9".repeat(15) }, body.length, body),
  ({ headers }) => sized(headers, 5, "\xff\xfe\x00{}"),
  ({ body }) => sized({ "content-type": "application/json" }, body.length, body),
];

interface Hostile {
  readonly text: string;
  readonly ending: "wait" | "stall" | "abort";
}

type Headers = Readonly<Record<string, string>>;

function chunked(headers: Headers, text: string, ending: Hostile["ending"] = "wait"): Hostile {
  return { text: request({ ...headers, "transfer-encoding": "chunked" }, text), ending };
}

function sized(headers: Headers, length: number, text: string, ending: Hostile["ending"] = "wait"): Hostile {
  return { text: request({ ...headers, "content-length": String(length) }, text), ending };
}

function request(headers: Headers, text: string): string {
  const lines = Object.entries({ host: "127.0.0.1", connection: "close", ...headers });
  return `POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`;
}

/** Sends a body that must be rejected: with a status from 400 to 499, if there is a response at all. */
async function sendHostile(report: Report, url: string, sender: number): Promise<void> {
  const signed = await signWebhook({ type: "order.paid", data: sender }, { secret: OTHER_SECRET });
  const make = HOSTILE[Math.floor(Math.random() * HOSTILE.length)] as (typeof HOSTILE)[number];
  const { text, ending } = make(signed);
  const started = performance.now();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.setTimeout(60_000, () => socket.destroy(new Error("timeout")));
  let received = "";
  let failure: string | undefined;
  socket.on("data", (data) => (received += data.toString("latin1")));
  socket.on("error", (error: NodeJS.ErrnoException) => (failure = error.code ?? error.message));
  socket.write(text, "latin1");
  const isAbort = ending === "abort";
  if (ending !== "wait") void sleep(isAbort ? Math.random() * 20 : STALL).then(() => socket.resetAndDestroy());
  await once(socket, "close").catch(() => undefined);
  const status = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];
  if (status) report.answered(Number(status), performance.now() - started);
  else if (ending === "wait" && failure === "timeout") report.violation("no response to a hostile body");
  if (status && !status.startsWith("4")) report.violation(`a hostile body got ${status}`);
}
