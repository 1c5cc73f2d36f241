-- Restores changes that a gateway has read but the directory no longer contains. This happens if a replica is promoted before it has received the
-- last changes, or if the directory is lost.
-- No cache returns to an older generation.
-- The script flushes each cache that the gateway does not have and whose generation is not newer than the gateway's version. Either the deletion of such
-- a cache was lost, or another gateway created the cache after the changes were lost.
-- KEYS: the directory.
-- ARGV: the gateway, the version that the gateway has, and then the name and id.generation of each cache that the gateway has.
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
