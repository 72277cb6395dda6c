// Has the clients of three versions.

import { createClient } from "#current";
import { createClient as createOldest } from "#deprecated";
import { createClient as createNewest } from "#next";

globalThis.clients = [createOldest, createClient, createNewest];
