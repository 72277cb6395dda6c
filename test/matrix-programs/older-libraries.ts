import { createEventBuffer } from "@billing-service/sdk/usage";
import { createClient } from "#current";

export const usage = createEventBuffer(createClient({ accessToken: "token" }));
