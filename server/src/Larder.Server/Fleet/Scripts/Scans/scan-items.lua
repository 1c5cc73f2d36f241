-- Reads a page of a collection.
-- KEYS: the item.
-- ARGV: the position ("0" for the first page), the approximate number of elements, the type returned by the previous page (empty for the first page),
-- the size in bytes at which the script stops adding elements to the page, the size in bytes above which the page is rejected.
-- Returns the type, the run id of the process in which the position is valid (empty for a list, whose positions are valid on any node), the
-- next position ("0" after the last page) and the elements. Otherwise returns
-- nil if the key does not exist,
-- 1 if the item is not a collection or has another type than the previous page,
-- 2 if the page would be too large.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
  return false
end
local command = ({hash = 'HSCAN', set = 'SSCAN', zset = 'ZSCAN', list = 'LRANGE'})[kind]
if not command or (ARGV[3] ~= '' and ARGV[3] ~= kind) then
  return 1
end
local position, wanted, enough, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[4]), tonumber(ARGV[5])
local length = kind == 'list' and redis.call('LLEN', KEYS[1])
local each = (kind == 'hash' or kind == 'zset') and 2 or 1
local found, n, bytes, some = {}, 0, 0, 1
-- The first batch is small. The size of its elements determines how many elements the next batch requests.
for _ = 1, 16 do
  local got
  if length then
    local first = tonumber(position)
    got = redis.call('LRANGE', KEYS[1], first, first + some - 1)
    local following = first + #got
    position = following < length and string.format('%d', following) or '0'
  else
    local page = redis.call(command, KEYS[1], position, 'COUNT', some)
    position, got = page[1], page[2]
  end
  for i = 1, #got do
    found[#found + 1] = got[i]
    bytes = bytes + #got[i]
  end
  if bytes > most then
    return 2
  end
  n = #found / each
  if position == '0' or n >= wanted or bytes >= enough then
    break
  end
  some = math.min(4 * some, 1024)
  if n > 0 then
    some = math.max(math.min(some, wanted - n, math.floor((enough - bytes) * n / math.max(bytes, 1))), 1)
  end
end
local process = length and '' or string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
return {kind, process, position, found}
