import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { serveMock } from "../support/serve-mock.ts";

const run = promisify(execFile);

test("connectMock finds its worker in the build", async () => {
  const { url, close } = await serveMock();
  onTestFinished(close);
  const program = `
    import { connectMock } from "@billing-service/sdk/mock/connect";
    console.log(connectMock(${JSON.stringify(url)}).users.size);
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout).toBe("1\n");
});
