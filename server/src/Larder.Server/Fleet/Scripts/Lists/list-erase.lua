-- Removes ranges of a list.
-- KEYS: the item.
-- ARGV: a marker that no element equals, the ranges, the maximum work, the maximum work for a light command.
-- The ranges are disjoint and in ascending order. Each range consists of its start and its count, as little-endian 32-bit integers.
-- The work is an estimate of the time that the removal takes on the node.
-- Returns the remaining length, or nil if the list does not exist. The script changes nothing and returns
-- -1 if the work would block the node for too long,
-- -2 if the work is too much for a light command.
local n = redis.call('LLEN', KEYS[1])
if n == 0 then
  return false
end
local ranges, erased = {}, 0
for at = 1, #ARGV[2], 8 do
  local first, count = struct.unpack('<I4I4', ARGV[2], at)
  local stop = math.min(first + count, n)
  if first >= stop then
    if first >= n then
      break
    end
  else
    ranges[#ranges + 1] = {first, stop}
    erased = erased + stop - first
  end
end
if erased == n then
  redis.call('UNLINK', KEYS[1])
  return 0
end
-- Ranges at the ends are trimmed. Elements of inner ranges are overwritten with the marker, and then all elements that equal the marker are removed.
-- Marking an element costs more in a longer list.
local head = ranges[1] and ranges[1][1] == 0 and table.remove(ranges, 1)[2] or 0
local tail = ranges[#ranges] and ranges[#ranges][2] == n and table.remove(ranges)[1] or n
local marked = erased - head - (n - tail)
if marked > 0 then
  local nodes = math.min(n, redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0) / 4096)
  local work = marked * (1 + nodes / 1000)
  if work > tonumber(ARGV[3]) then
    return -1
  end
  if work + n / 16 > tonumber(ARGV[4]) then
    return -2
  end
  for _, range in ipairs(ranges) do
    for index = range[1], range[2] - 1 do
      redis.call('LSET', KEYS[1], index, ARGV[1])
    end
  end
end
if head > 0 or tail < n then
  redis.call('LTRIM', KEYS[1], head, tail - 1)
end
if marked > 0 then
  redis.call('LREM', KEYS[1], marked, ARGV[1])
end
return n - erased
