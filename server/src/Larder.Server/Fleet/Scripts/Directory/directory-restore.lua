-- Restores changes that a gateway has read but the directory no longer contains. This happens if a replica is promoted before it has received the
-- last changes, or if the directory is lost.
-- No cache returns to an older generation, and none loses what is recorded about its use.
-- The script flushes each cache that the gateway does not have and whose generation is not newer than the gateway's version. Either the deletion of such
-- a cache was lost, or another gateway created the cache after the changes were lost.
-- KEYS: the directory.
-- ARGV: the gateway, the version that the gateway has, and then the name and id.generation.use.removals of each cache that the gateway has.
-- Returns the new version.
local known = tonumber(ARGV[2])
local was = tonumber(redis.call('HGET', KEYS[1], 'v') or '0')
local version = string.format('%.0f', math.max(known, was) + 1)
local sweepAt = redis.call('TIME')[1] + 2
local ids = tonumber(redis.call('HGET', KEYS[1], 'n') or '0')
local mine = {}
for index = 3, #ARGV, 2 do
  local id, generation, use, removals = string.match(ARGV[index + 1], '^(%d+)%.(%d+)%.(%d+)%.(%d+)$')
  local present = redis.call('HGET', KEYS[1], 'c:' .. ARGV[index])
  local oldId, oldGeneration, oldUse, oldRemovals = string.match(present or '', '^(%d+)%.(%d+)%.?(%d*)%.?(%d*)$')
  mine['c:' .. ARGV[index]] = true
  ids = math.max(ids, tonumber(id))
  if not present and was < known then
    redis.call('HSET', KEYS[1], 'c:' .. ARGV[index], ARGV[index + 1])
  elseif present and tonumber(oldGeneration) < tonumber(generation) then
    redis.call('HSET', KEYS[1], 'c:' .. ARGV[index], ARGV[index + 1], 's:' .. oldId .. '.' .. oldGeneration, sweepAt)
  elseif oldId == id and oldGeneration == generation then
    use = math.max(tonumber(use), tonumber(oldUse) or 0)
    removals = math.max(tonumber(removals), tonumber(oldRemovals) or 0)
    redis.call('HSET', KEYS[1], 'c:' .. ARGV[index], string.format('%s.%s.%d.%.0f', id, generation, use, removals))
  end
end
local fields = redis.call('HGETALL', KEYS[1])
for index = 1, #fields, 2 do
  local id, generation, use, removals = string.match(fields[index + 1], '^(%d+)%.(%d+)%.?(%d*)%.?(%d*)$')
  if string.sub(fields[index], 1, 2) == 'c:' and not mine[fields[index]] and tonumber(generation) <= known then
    local entry = string.format('%s.%s.%d.%.0f', id, version, tonumber(use) or 0, tonumber(removals) or 0)
    redis.call('HSET', KEYS[1], fields[index], entry, 's:' .. id .. '.' .. generation, sweepAt)
  end
end
redis.call('HSET', KEYS[1], 'v', version, 'n', ids, 'w', ARGV[1])
return version
