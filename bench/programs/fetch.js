// Reads one webhook endpoint from the server at the given URL, with `fetch`.
const headers = { authorization: "Bearer token-of-benchmarks" };
const response = await fetch(`${process.argv[2]}/v1/webhooks/endpoints/3fa85f64-5717-4562-b3fc-2c963f66afa6`, {
  headers,
});
await response.json();
process.exit();
