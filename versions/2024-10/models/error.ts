import * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";

/** The body of a 404: the thing asked for does not exist (specification, section 2.5). */
export interface ResourceNotFound {
  /** Tells what kind of error it is. */
  error: "ResourceNotFound";
  /** What was not found, for a person to read. */
  detail: string;
}

export const ResourceNotFoundSchema: Schema<ResourceNotFound> = z.object({
  error: z.literal("ResourceNotFound"),
  detail: z.string(),
});

/** One thing that is wrong with a request (specification, section 2.5). */
export interface ValidationError {
  /** Where it is wrong: `path`, `query`, `header` or `body` (G-422), then the names and places inside it. */
  loc: (string | number)[];
  /** What is wrong, for a person to read. */
  msg: string;
  /** What is wrong, for a program to read, for example `missing` (G-422). */
  type: string;
  /** What was sent there. */
  input?: unknown;
  /** The facts behind the message, for example a limit. */
  ctx?: Record<string, unknown>;
}

export const ValidationErrorSchema: Schema<ValidationError> = z.object({
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  type: z.string(),
  input: z.exactOptional(z.unknown()),
  ctx: z.exactOptional(z.record(z.string(), z.unknown())),
});

/** The body of a 422: what is wrong with the request, the first 100 places (specification, section 2.5; G-422-MAX). */
export interface HTTPValidationError {
  /** What is wrong, one item for each place. */
  detail?: ValidationError[];
}

export const HTTPValidationErrorSchema: Schema<HTTPValidationError> = z.object({
  detail: z.exactOptional(z.array(ValidationErrorSchema)),
});

/** The body of a 404 that no operation gave: an unknown path or an unsupported version (G-404, G-404-VER). */
export interface NotFound {
  /** `Not Found`. */
  detail: string;
}

export const NotFoundSchema: Schema<NotFound> = z.object({ detail: z.string() });

/** The body of a 401: the request carries no credential (G-401). */
export interface Unauthorized {
  /** Tells what kind of error it is. */
  error: "Unauthorized";
  /** The same, for a person to read. */
  detail: string;
}

export const UnauthorizedSchema: Schema<Unauthorized> = z.object({
  error: z.literal("Unauthorized"),
  detail: z.string(),
});

/** The body of a 401: the credential is unknown, expired, revoked or of a kind the operation refuses (G-401-BAD). */
export interface InvalidToken {
  /** Tells what kind of error it is (RFC 6750, section 3.1). */
  error: "invalid_token";
  /** What is wrong with the credential, for a person to read. */
  error_description: string;
}

export const InvalidTokenSchema: Schema<InvalidToken> = z.object({
  error: z.literal("invalid_token"),
  error_description: z.string(),
});

/** The body of a 403: the credential lacks the scope that the operation needs (G-403). */
export interface InsufficientScope {
  /** Tells what kind of error it is (RFC 6750, section 3.1). */
  error: "insufficient_scope";
  /** Which scope is missing, for a person to read. */
  error_description: string;
}

export const InsufficientScopeSchema: Schema<InsufficientScope> = z.object({
  error: z.literal("insufficient_scope"),
  error_description: z.string(),
});

/** The body of a 400 of the authorization lookup (RFC 6749, section 5.2; G-AUT-QUERY). */
export interface InvalidAuthorization {
  /** Tells what kind of error it is. */
  error: "invalid_client" | "invalid_scope";
  /** What is wrong, for a person to read. */
  error_description: string;
}

export const InvalidAuthorizationSchema: Schema<InvalidAuthorization> = z.object({
  error: z.enum(["invalid_client", "invalid_scope"]),
  error_description: z.string(),
});
