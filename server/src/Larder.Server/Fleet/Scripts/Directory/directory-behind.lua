-- Counts the live gateways that do not have a version of the directory yet. A gateway is live if its last heartbeat is recent.
-- KEYS: the gateways.
-- ARGV: the version, the maximum age of a heartbeat in ms.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local behind = 0
local gateways = redis.call('HGETALL', KEYS[1])
for index = 1, #gateways, 2 do
  local version, beat = string.match(gateways[index + 1], '^(%d+) (%d+)$')
  if now - tonumber(beat) <= tonumber(ARGV[2]) then
    if tonumber(version) < tonumber(ARGV[1]) then
      behind = behind + 1
    end
  else
    redis.call('HDEL', KEYS[1], gateways[index])
  end
end
return behind
