-- How many fronts are up, by their last beat, and have an older directory than the version.
-- KEYS: the fronts. ARGV: the version, how old in ms a beat may be.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local behind = 0
local fronts = redis.call('HGETALL', KEYS[1])
for index = 1, #fronts, 2 do
  local version, beat = string.match(fronts[index + 1], '^(%d+) (%d+)$')
  if now - tonumber(beat) <= tonumber(ARGV[2]) then
    if tonumber(version) < tonumber(ARGV[1]) then
      behind = behind + 1
    end
  else
    redis.call('HDEL', KEYS[1], fronts[index])
  end
end
return behind
