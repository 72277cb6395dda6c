/*
 * Redis runs each script at once, without another command in between. An event is one entry of a stream with the field
 * `json`. A lease is an entry that is pending for the consumer of an outbox, a released entry is pending for the consumer
 * `released`. Confirmed entries are deleted, so the length of the stream is the number of events. No script creates a consumer with XGROUP, which Redis rejects when its memory is full.
 */

const GROUP = "local GROUP, RELEASED = 'shippers', 'released'";

/** Makes entries available to every consumer. */
const RELEASE = `${GROUP}
local function release(id) redis.call('XCLAIM', KEYS[1], GROUP, RELEASED, 0, id, 'JUSTID') end`;

/** Calls a function with every entry in ARGV that the consumer ARGV[1] has leased. */
const EACH_OWN = `
local function each_own(act)
  for index = 2, #ARGV do
    local pending = redis.pcall('XPENDING', KEYS[1], GROUP, ARGV[index], ARGV[index], 1, ARGV[1])
    if pending[1] then act(ARGV[index]) end
  end
end`;

/**
 * Appends events. ARGV: JSON of each event. If another program has used the highest possible id, its entry receives a new one: Redis would reject every other.
 */
export const APPEND = `${GROUP}
local HIGHEST = '18446744073709551615-18446744073709551615'

local function newest()
  return redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
end

local function free_ids()
  local foreign = newest()
  if foreign and foreign[1] == HIGHEST then redis.call('XDEL', KEYS[1], HIGHEST) else foreign = nil end
  local below = newest()
  below = below and below[1] or '0-0'
  redis.call('XSETID', KEYS[1], below)
  for _, fields in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    for index = 1, #fields, 2 do
      local is_delivered = fields[index] == 'last-delivered-id' and fields[index + 1] == HIGHEST
      if is_delivered then redis.call('XGROUP', 'SETID', KEYS[1], GROUP, below) end
    end
  end
  if foreign then redis.call('XADD', KEYS[1], '*', unpack(foreign[2])) end
end

for index = 1, #ARGV do
  local added = redis.pcall('XADD', KEYS[1], '*', 'json', ARGV[index])
  if type(added) == 'table' then
    if string.find(added.err, 'exhausted') then free_ids() end
    redis.call('XADD', KEYS[1], '*', 'json', ARGV[index])
  end
end`;

/** Ends the leases of a consumer that its process does not know; with none left, deletes it. ARGV: consumer, the ids that it knows. */
export const RECLAIM = `${RELEASE}
local known = {}
for index = 2, #ARGV do known[ARGV[index]] = true end
local start = '-'
repeat
  local pending = redis.pcall('XPENDING', KEYS[1], GROUP, start, '+', 1000, ARGV[1])
  for _, entry in ipairs(pending) do
    if not known[entry[1]] then release(entry[1]) end
    start = '(' .. entry[1]
  end
until #pending == 0
if #ARGV == 1 then redis.pcall('XGROUP', 'DELCONSUMER', KEYS[1], GROUP, ARGV[1]) end`;

/** Returns what the durability of the events depends on. */
export const INFO = `return redis.call('INFO', 'memory') .. redis.call('INFO', 'persistence')`;

/**
 * Leases events: first those that were released, then new ones. Entries are read ten at a time, because they can be large; those
 * that do not fit are released. Before, releases those whose lease has ended, at most as many as are taken, among ten times as
 * many leases, because looking at all takes long when there are many.
 * ARGV: consumer, lease in ms, events, bytes, cursor. Returns the next cursor, then id, JSON, bytes of each event.
 */
export const TAKE = `${RELEASE}
local consumer, lease, max_events, max_bytes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local taken, events, bytes, is_full = { '0-0' }, 0, 0, false

local function room() return math.min(10, max_events - events) end

local function keep(id, fields)
  -- An array is rejected as unreadable.
  local json = fields[1] == 'json' and fields[2] or cjson.encode(fields)
  is_full = is_full or (events > 0 and bytes + #json > max_bytes)
  if is_full then return release(id) end
  taken[#taken + 1], taken[#taken + 2], taken[#taken + 3] = id, json, #json
  events, bytes = events + 1, bytes + #json
end

local function release_ended()
  return redis.pcall('XAUTOCLAIM', KEYS[1], GROUP, RELEASED, lease, ARGV[5], 'COUNT', math.min(1000, max_events), 'JUSTID')
end

local function claim_released()
  local ids = {}
  for _, pending in ipairs(redis.call('XPENDING', KEYS[1], GROUP, '-', '+', room(), RELEASED)) do
    ids[#ids + 1] = pending[1]
  end
  if #ids == 0 then return ids end
  return redis.call('XCLAIM', KEYS[1], GROUP, consumer, 0, unpack(ids))
end

local function read_new()
  local read = redis.call('XREADGROUP', 'GROUP', GROUP, consumer, 'COUNT', room(), 'STREAMS', KEYS[1], '>')
  return read and read[1][2] or {}
end

local function take_all(next_entries)
  while not is_full and events < max_events do
    local entries = next_entries()
    if #entries == 0 then return end
    for _, entry in ipairs(entries) do keep(entry[1], entry[2]) end
  end
end

local ended = release_ended()
if ended.err then redis.call('XGROUP', 'CREATE', KEYS[1], GROUP, '0', 'MKSTREAM') else taken[1] = ended[1] end
take_all(claim_released)
take_all(read_new)
return taken`;

/** Restarts leases. ARGV: consumer, ids. */
export const EXTEND = `${GROUP}${EACH_OWN}
each_own(function(id) redis.call('XCLAIM', KEYS[1], GROUP, ARGV[1], 0, id, 'JUSTID') end)`;

/** Ends leases. ARGV: consumer, ids. */
export const RELEASE_OWN = `${RELEASE}${EACH_OWN}
each_own(release)`;

/** Removes events. ARGV: ids. */
export const CONFIRM = `${GROUP}
for index = 1, #ARGV do
  redis.call('XACK', KEYS[1], GROUP, ARGV[index])
  redis.call('XDEL', KEYS[1], ARGV[index])
end`;

/** Returns the number of events, and the ids of the oldest and the newest if there is one. They begin with the time in ms. */
export const STATE = `
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
if not oldest then return { 0 } end
return { redis.call('XLEN', KEYS[1]), oldest[1], redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1][1] }`;
