const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const ANY_VERSION =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12})$/i;
/** A UUID, also with the number of a delivery after it. */
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}(:\d+)?$/i;

/** Returns an id in its stored form: a UUID in lower case (RFC 9562, section 4; G-UUID-FORM), anything else unchanged. */
export function canonicalId(id: string): string {
  return typeof id === "string" && UUID.test(id) ? id.toLowerCase() : id;
}

/** Returns the id of a reference, which is an id or a record, in its stored form. */
export function idOf(reference: string | { readonly id: string } | undefined): string | undefined {
  return reference === undefined ? undefined : canonicalId(typeof reference === "object" ? reference.id : reference);
}

/** Returns whether an id is a UUID of any version (specification, section 2.2; RFC 9562, section 4). */
export function isUuid(id: string): boolean {
  return ANY_VERSION.test(id);
}

/** Returns whether an id is a version 4 UUID (specification, section 2.1). */
export function isUuid4(id: string): boolean {
  return VERSION_4.test(id);
}
