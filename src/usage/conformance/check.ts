import type { Outbox, OutboxEntry } from "../outbox/index.ts";

/** Options for `testOutbox` and `outboxChecks`. */
export interface OutboxTestOptions {
  /**
   * Opens an outbox. Each check uses its own name, which consists of lower-case letters and hyphens, and expects an empty
   * outbox. If a check opens the same name twice, both objects must use the same events.
   */
  open(name: string): Outbox | Promise<Outbox>;
  /** Whether events are still there after `close`, when the same name is opened again. Defaults to false. */
  readonly durable?: boolean | undefined;
  /** Whether several objects may be open for the same events at a time. Defaults to false. */
  readonly shared?: boolean | undefined;
}

/** One check. */
export interface OutboxCheck {
  /** The promise that the outbox must keep, for example `take returns the oldest events first`. */
  readonly name: string;
  /**
   * Runs the check.
   *
   * @throws Error that says what was expected and what the outbox did.
   */
  run(): Promise<void>;
}

/** Opens the outbox of one check. The checks close every object that they open. */
export type OpenOutbox = () => Promise<Outbox>;

/** A check before it knows the outbox. */
export interface CheckDefinition {
  readonly name: string;
  readonly requires?: "durable" | "shared" | undefined;
  readonly run: (open: OpenOutbox) => Promise<void>;
}

/** A limit that no check reaches. */
export const ALL = { events: 10_000, bytes: 100_000_000 } as const;

/** Creates events with the given ids and about the given size. */
export function eventsOf(ids: readonly string[], note = ""): { readonly json: string; readonly bytes: number }[] {
  return ids.map((external_id) => {
    const json = JSON.stringify({ name: "check", external_customer_id: "check", external_id, metadata: { note } });
    return { json, bytes: new TextEncoder().encode(json).length };
  });
}

/** Returns the ids of events. */
export function idsOf(entries: readonly OutboxEntry[]): string[] {
  return entries.map(({ json }) => (JSON.parse(json) as { external_id: string }).external_id);
}

/** Returns `["1", "2", …]`. */
export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

/** Throws an error if two values differ as JSON. */
export function expectEqual(what: string, received: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(received), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: expected ${shorten(should)}; received ${shorten(is)}`);
}

/** Throws an error unless a call rejects. */
export async function expectRejection(what: string, call: () => Promise<unknown>): Promise<void> {
  const isRejected = await call().then(
    () => false,
    () => true,
  );
  if (!isRejected) throw new Error(`${what}: expected a rejection; the promise resolved`);
}

/** Waits for a number of milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function shorten(text: string | undefined): string {
  return text === undefined || text.length <= 300 ? String(text) : `${text.slice(0, 300)}…`;
}
