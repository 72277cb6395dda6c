#!/usr/bin/env node
import { run } from "./run.ts";

// What prints reports that a stream cannot be written; without a listener, Node.js would end with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
process.exitCode = await run(process.argv.slice(2), process.env, process);
// A mock's deliveries may still wait. A process on Windows must have written what it printed.
process.stderr.write("", () => process.exit());
