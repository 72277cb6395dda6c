export { frozenContract, SECURITY_SCHEMES } from "./contract.ts";
export type * from "./public.ts";
export type { ZodSchema } from "./schema.ts";
