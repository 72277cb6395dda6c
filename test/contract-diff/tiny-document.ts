import * as z from "zod/mini";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { diffContracts } from "../../src/contract-diff/index.ts";
import { type OpenApiDocument, toOpenApi } from "../../src/openapi/index.ts";

const Empty = z.object({});

const read: Operation = {
  id: "books:read",
  method: "GET",
  path: "/v1/books/{id}",
  summary: "Read a book.",
  security: { schemes: ["pat", "oat"], scopes: ["books:read"] },
  request: { path: z.object({ id: z.string() }) },
  response: { status: 200, body: Empty },
  failures: {},
  idempotent: () => true,
};

/** An operation that differs from reading a book in some parts. */
export function operation(parts: Partial<Operation> = {}): Operation {
  return { ...read, ...parts };
}

/** A document with one operation that reads a book, and the given parts instead of its own. */
export function tinyDocument(
  parts: Partial<Contract> = {},
  models: Readonly<Record<string, Schema>> = {},
): OpenApiDocument {
  const contract: Contract = {
    version: "2030-01",
    operations: [operation()],
    scopes: ["books:read", "books:write"],
    securitySchemes: {
      oidc: { type: "openIdConnect", openIdConnectUrl: "/discovery", description: "OpenID." },
      pat: { type: "http", scheme: "bearer", description: "A user's." },
      oat: { type: "http", scheme: "bearer", description: "An organization's." },
    },
    webhookEventTypes: ["book.lent", "book.returned"],
    webhookData: {},
    ...parts,
  };
  return toOpenApi(contract, { models });
}

/** A document in which a model named Book is the body of a request. */
export function inRequest(Book: Schema): OpenApiDocument {
  return tinyDocument({ operations: [operation({ method: "POST", request: { body: Book } })] }, { Book });
}

/** A document in which a model named Book is the body of a response. */
export function inResponse(Book: Schema): OpenApiDocument {
  return tinyDocument({ operations: [operation({ response: { status: 200, body: Book } })] }, { Book });
}

/** The differences between two documents, one line each, breaking ones first. */
export function linesOf(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const differences = diffContracts(before, after).sort((one, other) => Number(other.breaking) - Number(one.breaking));
  return differences.map(({ subject, message, breaking }) => `${subject}: ${message}${breaking ? " (breaking)" : ""}`);
}
