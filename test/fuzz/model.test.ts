import fc from "fast-check";
import { it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { steps } from "./model/commands.ts";
import { beginning } from "./model/model.ts";
import { patient, times } from "./parameters.ts";

it("any sequence of steps leaves the mock in the state of a simple model", patient, async () => {
  const sequences = fc.commands(steps, { maxCommands: 40, size: "max" });
  const check = fc.asyncProperty(sequences, (commands) =>
    fc.asyncModelRun(() => beginning(createMock({ seed: 1 })), commands),
  );
  await fc.assert(check, times(150));
});
