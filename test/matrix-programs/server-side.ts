// The program for runtimes on a server: starts the standalone server and uses the package against it.
import { startServer } from "@billing-service/sdk/mock/server";
import { arrange } from "./arrange.ts";
import { exercise } from "./exercise.ts";

async function main(): Promise<void> {
  const server = await startServer({ port: 0 });
  arrange(server.mock);
  const report = await exercise({ baseUrl: server.url, accessToken: server.mock.issueToken() });
  await server.close({ grace: 0 });
  console.log(JSON.stringify(report));
}

void main();
