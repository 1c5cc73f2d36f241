-- Creates, deletes or flushes a cache, or records that it has leases or tags, or that tags were removed. The generation that a delete or flush ends is
-- registered for the sweep, with the time at which its sweep may start.
-- KEYS: the directory, the stream that announces changes to the gateways.
-- ARGV: "create", "delete", "flush", "lease", "tag" or "untag", the cache, the maximum number of caches, the gateway, the version that the gateway has.
-- Returns an outcome and the version of the directory. The outcome is
-- 1 if the change was made,
-- 0 for "create" if the cache already exists, and otherwise if the cache does not exist,
-- 2 if there are too many caches.
-- The version is "0" if the change was not made.
local field = 'c:' .. ARGV[2]
local present = redis.call('HGET', KEYS[1], field)
if (ARGV[1] == 'create') == (present ~= false) then
  return {0, '0'}
end
if ARGV[1] == 'create' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return {2, '0'}
end
local id, generation, use, removals = string.match(present or '', '^(%d+)%.(%d+)%.?(%d*)%.?(%d*)$')
use, removals = tonumber(use) or 0, tonumber(removals) or 0
local wanted = ({lease = 1, tag = 2, untag = 2})[ARGV[1]]
if wanted and use >= wanted and ARGV[1] ~= 'untag' then
  return {1, redis.call('HGET', KEYS[1], 'v')}
end
-- The new version must be higher than the version that the gateway has, even if a failover has brought back an older directory.
local was = tonumber(redis.call('HGET', KEYS[1], 'v') or redis.call('TIME')[1])
local version = string.format('%.0f', math.max(was, tonumber(ARGV[5])) + 1)
redis.call('HSET', KEYS[1], 'v', version, 'w', ARGV[4])
-- If the announcement fails, the gateways read the change at their next heartbeat.
redis.pcall('XADD', KEYS[2], 'MAXLEN', '1', '*', 'v', version)
if wanted then
  if ARGV[1] == 'untag' then
    -- At least the current time, so that no number is used again if a failover loses the last ones.
    local now = redis.call('TIME')
    removals = math.max(removals + 1, now[1] * 1000000 + now[2])
  end
  redis.call('HSET', KEYS[1], field, string.format('%s.%s.%d.%.0f', id, generation, math.max(use, wanted), removals))
  return {1, version}
end
if present then
  redis.call('HSET', KEYS[1], 's:' .. id .. '.' .. generation, redis.call('TIME')[1] + 2)
else
  id = redis.call('HINCRBY', KEYS[1], 'n', 1)
end
if ARGV[1] == 'delete' then
  redis.call('HDEL', KEYS[1], field)
else
  redis.call('HSET', KEYS[1], field, string.format('%s.%s.%d.%.0f', id, version, use, removals))
end
return {1, version}
