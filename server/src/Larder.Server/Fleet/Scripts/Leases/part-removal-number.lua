-- Reads the number of a cache's last removed tag. Numbers start at the current time in microseconds, so that a cache whose numbers were lost continues with
-- a higher number. Items from before are then misses.
local number = redis.call('HGET', KEYS[1], 'n')
if not number then
  local time = redis.call('TIME')
  number = string.format('%.0f', time[1] * 1000000 + time[2])
  -- If the node is full, the number is not stored. An item that is stored with it becomes a miss.
  redis.pcall('HSET', KEYS[1], 'n', number, 'f', number)
end
