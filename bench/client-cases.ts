import { Agent, get } from "node:http";
import ky from "ky";
import { createClient } from "#current";

/** Reads the endpoint once. */
export type ReadOnce = () => Promise<unknown>;

/** Creates the call of a case, for a server. */
type Make = (baseUrl: string) => ReadOnce;

const accessToken = "bench-token-0123456789";
const headers = { authorization: `Bearer ${accessToken}` };
const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
const path = `/v1/webhooks/endpoints/${id}`;

const peer = (name: string) => async (): Promise<Make> =>
  ((await import(new URL(`peers/${name}.mjs`, import.meta.url).href)) as { readonly make: Make }).make;

/** The ways to read an endpoint that are compared, by their names in the table. The first is what the others relate to. */
export const cases: Readonly<Record<string, () => Promise<Make>>> = {
  "bare fetch": async () => (baseUrl) => async () => (await fetch(baseUrl + path, { headers })).json(),
  "bare node:http": async () => viaNode,
  ky: async () => (baseUrl) => () => ky.get(baseUrl + path, { headers }).json(),
  "openapi-fetch": peer("openapi-fetch"),
  "@polar-sh/sdk": peer("polar"),
  stripe: peer("stripe"),
  "this client": async () => (baseUrl) => {
    const billing = createClient({ accessToken, baseUrl });
    return () => billing.webhooks.getEndpoint(id);
  },
};

function viaNode(baseUrl: string): ReadOnce {
  const agent = new Agent({ keepAlive: true });
  return () =>
    new Promise((resolve, reject) => {
      get(baseUrl + path, { agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      }).on("error", reject);
    });
}
