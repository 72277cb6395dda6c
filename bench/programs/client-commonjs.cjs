// Reads one webhook endpoint from the server at the given URL, with the client of one version, as CommonJS.
const { createClient } = require("#current");

const billing = createClient({ accessToken: "token-of-benchmarks", baseUrl: process.argv[2] });
billing.webhooks.getEndpoint("3fa85f64-5717-4562-b3fc-2c963f66afa6").then(() => process.exit());
