-- Heartbeat of a gateway. Records that the gateway is alive and which version of the directory it has. Returns the directory if its version differs.
-- KEYS: the directory, the gateways.
-- ARGV: the gateway, the version that the gateway has ("0" if it has none), the default cache, "1" to create the default cache if it is missing,
-- and the gateway that wrote that version.
-- Returns the current version of the directory. If the gateway has another version, the fields and values of the directory follow.
local time = redis.call('TIME')
local version = redis.call('HGET', KEYS[1], 'v')
if not version then
  if ARGV[2] ~= '0' then
    -- The directory was lost. A gateway that still has the content of the directory restores it with directory-restore.lua.
    return {'0', {}}
  end
  -- Versions start at the current time, so that a directory that was lost and recreated never reuses a version.
  version = time[1]
  redis.call('HSET', KEYS[1], 'v', version)
  ARGV[4] = '1'
end
local default = 'c:' .. ARGV[3]
if ARGV[4] == '1' and redis.call('HEXISTS', KEYS[1], default) == 0 then
  version = string.format('%d', redis.call('HINCRBY', KEYS[1], 'v', 1))
  redis.call('HSET', KEYS[1], default, redis.call('HINCRBY', KEYS[1], 'n', 1) .. '.' .. version)
end
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[2], 60000)
if version == ARGV[2] and (redis.call('HGET', KEYS[1], 'w') or '') == ARGV[5] then
  return {version}
end
return {version, redis.call('HGETALL', KEYS[1])}
