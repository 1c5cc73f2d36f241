-- Heartbeat of a gateway: reports that it is alive and which version of the directory it has, and reads the directory if the version differs.
-- KEYS: the directory, the gateways.
-- ARGV: the gateway, its version ("0" if none), the default cache, "1" to create that if it is missing, the writer of its version.
-- Returns the current version. If it differs from the gateway's, the directory's fields and values follow.
local time = redis.call('TIME')
local version = redis.call('HGET', KEYS[1], 'v')
if not version then
  if ARGV[2] ~= '0' then
    -- The directory was lost. A gateway that knows its content writes it again.
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
