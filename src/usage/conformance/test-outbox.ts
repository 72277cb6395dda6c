import { InvalidInputError } from "../../errors/index.ts";
import type { Outbox } from "../outbox/index.ts";
import { basicChecks } from "./basic-checks.ts";
import type { CheckDefinition, OpenOutbox, OutboxCheck, OutboxTestOptions } from "./check.ts";
import { durableChecks } from "./durable-checks.ts";
import { sharedChecks } from "./shared-checks.ts";

const definitions: readonly CheckDefinition[] = [...basicChecks, ...durableChecks, ...sharedChecks];

/**
 * Returns the checks that an outbox must pass, for example to register each as a test:
 *
 * ```ts
 * for (const { name, run } of outboxChecks({ open: (name) => myOutbox(name), durable: true })) test(name, run);
 * ```
 *
 * @throws `InvalidInputError` unless `open` is a function.
 */
export function outboxChecks(options: OutboxTestOptions): OutboxCheck[] {
  return checksFor(options, "outboxChecks");
}

function checksFor(options: OutboxTestOptions, caller: string): OutboxCheck[] {
  if (typeof options?.open !== "function") {
    throw new InvalidInputError("open", "must be a function that opens an outbox", { caller });
  }
  const applicable = definitions.filter(({ requires }) => requires === undefined || options[requires] === true);
  return applicable.map((definition, index) => ({
    name: definition.name,
    run: () => runCheck(definition, () => openNamed(options, `check-${letters(index)}`)),
  }));
}

/**
 * Runs every check of {@link outboxChecks}, one after the other.
 *
 * @throws Error that lists every failed check with its reason.
 */
export async function testOutbox(options: OutboxTestOptions): Promise<void> {
  const failures: string[] = [];
  for (const { name, run } of checksFor(options, "testOutbox")) {
    await run().catch((error: unknown) => failures.push(`- ${name}: ${messageOf(error)}`));
  }
  const failed = failures.length === 1 ? "1 check" : `${failures.length} checks`;
  if (failures.length > 0) throw new Error(`The outbox fails ${failed}:\n${failures.join("\n")}`);
}

async function runCheck({ run }: CheckDefinition, open: OpenOutbox): Promise<void> {
  const opened: Outbox[] = [];
  const openNext = async (): Promise<Outbox> => {
    const outbox = await open();
    opened.push(outbox);
    return outbox;
  };
  try {
    await run(openNext);
  } finally {
    for (const outbox of opened) await outbox.close();
  }
}

async function openNamed(options: OutboxTestOptions, name: string): Promise<Outbox> {
  return options.open(name);
}

/** Names a number with the letters a to j for its digits. */
function letters(index: number): string {
  return String(index).replace(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
