import createClient from "openapi-fetch";

export function make(baseUrl) {
  const client = createClient({ baseUrl, headers: { authorization: "Bearer bench-token-0123456789" } });
  const parameters = { params: { path: { id: "3fa85f64-5717-4562-b3fc-2c963f66afa6" } } };
  return async () => (await client.GET("/v1/webhooks/endpoints/{id}", parameters)).data;
}
