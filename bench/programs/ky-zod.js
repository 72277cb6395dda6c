// Reads one webhook endpoint from the server at the given URL, with ky, and checks it with zod/mini.
import ky from "ky";
import * as z from "zod/mini";

const Endpoint = z.object({
  created_at: z.iso.datetime(),
  modified_at: z.nullable(z.iso.datetime()),
  id: z.uuid(),
  url: z.url(),
  name: z.nullable(z.string()),
  format: z.enum(["raw", "discord", "slack"]),
  secret: z.string(),
  organization_id: z.uuid(),
  events: z.array(z.string()),
  enabled: z.boolean(),
});
const headers = { authorization: "Bearer token-of-benchmarks" };
const url = `${process.argv[2]}/v1/webhooks/endpoints/3fa85f64-5717-4562-b3fc-2c963f66afa6`;
Endpoint.parse(await ky.get(url, { headers }).json());
process.exit();
