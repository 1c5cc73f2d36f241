-- Restores changes that a gateway has read but the directory no longer contains. This happens if a replica is promoted before it has received the
-- last changes, or if the directory is lost.
-- No cache returns to an older generation. The directory may contain a cache that the gateway does not have, although the gateway's version is newer
-- than the cache. Then the cache was deleted, or another gateway created it. The script flushes each such cache.
-- KEYS: the directory.
-- ARGV: the gateway, the version that it has, and then the name and id.generation of each cache that it has.
-- Returns the new version.
local known = tonumber(ARGV[2])
local was = tonumber(redis.call('HGET', KEYS[1], 'v') or '0')
local version = string.format('%.0f', math.max(known, was) + 1)
local sweepAt = redis.call('TIME')[1] + 2
local ids = tonumber(redis.call('HGET', KEYS[1], 'n') or '0')
local mine = {}
for index = 3, #ARGV, 2 do
  local id, generation = string.match(ARGV[index + 1], '^(%d+)%.(%d+)$')
  local present = redis.call('HGET', KEYS[1], 'c:' .. ARGV[index])
  mine['c:' .. ARGV[index]] = true
  ids = math.max(ids, tonumber(id))
  if not present and was < known then
    redis.call('HSET', KEYS[1], 'c:' .. ARGV[index], ARGV[index + 1])
  elseif present and tonumber(string.match(present, '%d+$')) < tonumber(generation) then
    redis.call('HSET', KEYS[1], 'c:' .. ARGV[index], ARGV[index + 1], 's:' .. present, sweepAt)
  end
end
local fields = redis.call('HGETALL', KEYS[1])
for index = 1, #fields, 2 do
  local id, generation = string.match(fields[index + 1], '^(%d+)%.(%d+)$')
  if string.sub(fields[index], 1, 2) == 'c:' and not mine[fields[index]] and tonumber(generation) <= known then
    redis.call('HSET', KEYS[1], fields[index], id .. '.' .. version, 's:' .. fields[index + 1], sweepAt)
  end
end
redis.call('HSET', KEYS[1], 'v', version, 'n', ids, 'w', ARGV[1])
return version
