import ts from "typescript";
import { describe, expect, it } from "vitest";

const file = "test/types/inputs.test-d.ts";
const settings: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  types: ["node"],
};

function complaints(exactOptionalPropertyTypes: boolean): string[] {
  const program = ts.createProgram([file], { ...settings, exactOptionalPropertyTypes });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("the input types", () => {
  it.each([true, false])("accept common input, with exactOptionalPropertyTypes: %s", (exact) => {
    expect(complaints(exact)).toEqual([]);
  });
});
