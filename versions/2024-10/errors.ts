import * as z from "zod/mini";
import type { Schema } from "../../src/contract.ts";

/** The body of a 404: the requested resource does not exist (specification, section 2.5). */
export interface ResourceNotFound {
  /** The error code. */
  error: "ResourceNotFound";
  /** A human-readable message that names the missing resource. */
  detail: string;
}

export const ResourceNotFoundSchema = z.object({ error: z.literal("ResourceNotFound"), detail: z.string() });

/** One problem with a request (specification, section 2.5). */
export interface ValidationError {
  /** The location of the problem: `path`, `query`, `header` or `body`, then field names and indexes. */
  loc: (string | number)[];
  /** A human-readable message. */
  msg: string;
  /** A machine-readable type, for example `missing`. */
  type: string;
  /** The value that was sent. */
  input?: unknown;
  /** Details about the problem, for example a limit. */
  ctx?: Record<string, unknown>;
}

export const ValidationErrorSchema = z.object({
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  type: z.string(),
  input: z.exactOptional(z.unknown()),
  ctx: z.exactOptional(z.looseObject({})),
});

/** The body of a 422 (specification, section 2.5). It is assumed to list at most the first 100 problems. */
export interface HTTPValidationError {
  /** The problems, one item per location. */
  detail?: ValidationError[];
}

export const HTTPValidationErrorSchema = z.object({ detail: z.exactOptional(z.array(ValidationErrorSchema)) });

/** The body of a 404 for an unknown path or an unsupported version. */
export interface NotFound {
  /** Always `Not Found`. */
  detail: string;
}

export const NotFoundSchema = z.object({ detail: z.string() });

/** The body of a 401: the request carries no credential. */
export interface Unauthorized {
  /** The error code. */
  error: "Unauthorized";
  /** A human-readable message. */
  detail: string;
}

export const UnauthorizedSchema = z.object({ error: z.literal("Unauthorized"), detail: z.string() });

/** The body of a 401: the credential is unknown, expired, revoked or of a kind that the operation rejects. */
export interface InvalidToken {
  /** The error code (RFC 6750, section 3.1). */
  error: "invalid_token";
  /** A human-readable message about the credential. */
  error_description: string;
}

export const InvalidTokenSchema = z.object({ error: z.literal("invalid_token"), error_description: z.string() });

/** The body of a 403: the credential lacks the scope that the operation needs. */
export interface InsufficientScope {
  /** The error code (RFC 6750, section 3.1). */
  error: "insufficient_scope";
  /** A human-readable message that names the missing scope. */
  error_description: string;
}

export const InsufficientScopeSchema = z.object({
  error: z.literal("insufficient_scope"),
  error_description: z.string(),
});

/** The body of a 400 of the authorization lookup (RFC 6749, section 5.2). */
export interface InvalidAuthorization {
  /** The error code. */
  error: "invalid_client" | "invalid_scope";
  /** A human-readable message. */
  error_description: string;
}

export const InvalidAuthorizationSchema = z.object({
  error: z.literal(["invalid_client", "invalid_scope"]),
  error_description: z.string(),
});

/** The error bodies of every operation, by status: an invalid credential, an unsupported version, an invalid request. */
export interface CommonFailures {
  401: Unauthorized | InvalidToken;
  404: NotFound & { error?: never };
  422: HTTPValidationError;
}

/** Schemas of the error bodies of every operation. */
export const commonFailures: { readonly [Status in keyof CommonFailures]: Schema<CommonFailures[Status]> } = {
  401: z.union([UnauthorizedSchema, InvalidTokenSchema]),
  404: NotFoundSchema,
  422: HTTPValidationErrorSchema,
};

/** The error bodies of an operation that requires a scope, by status. */
export interface ScopedFailures extends CommonFailures {
  403: InsufficientScope;
}

/** Schemas of the error bodies of an operation that requires a scope. */
export const scopedFailures: { readonly [Status in keyof ScopedFailures]: Schema<ScopedFailures[Status]> } = {
  ...commonFailures,
  403: InsufficientScopeSchema,
};

/** The error bodies of an operation on one resource, by status. */
export interface ResourceFailures extends Omit<ScopedFailures, 404> {
  /** `error` can be read of either body. */
  404: ResourceNotFound | (NotFound & { error?: never });
}

/** Schemas of the error bodies of an operation on one resource. */
export const resourceFailures: { readonly [Status in keyof ResourceFailures]: Schema<ResourceFailures[Status]> } = {
  ...scopedFailures,
  404: z.union([ResourceNotFoundSchema, NotFoundSchema]),
};

/** All error bodies that the operations declare, by status. */
export interface ErrorBodies extends ResourceFailures {
  400: InvalidAuthorization;
}
