-- Adds a message with the next number of the page to a topic, and drops the oldest messages if a limit is exceeded.
-- KEYS: the topic's stream, its state.
-- ARGV: the value, the publisher, the TTL in ms, the number of messages to keep, the tolerance, and the maximum total size of the values in bytes.
-- The oldest messages are dropped only if the number of messages exceeds the number to keep by more than the tolerance, or if the size is exceeded.
-- Returns the page and the number of the message.
local value, most, mostBytes = ARGV[1], tonumber(ARGV[4]), tonumber(ARGV[6])
if began == reign then
  number = tonumber(number) + 1
else
  -- The master has changed and may have lost messages, so a new page begins.
  page = string.format('%.0f', newPage(page))
  number, first = 1, 1
end
local id = string.format('%s-%.0f', page, number)
if ARGV[2] == '' then
  redis.call('XADD', KEYS[1], id, 'v', value)
else
  redis.call('XADD', KEYS[1], id, 'v', value, 'p', ARGV[2])
end
bytes = tonumber(bytes or '0') + #value
local length = redis.call('XLEN', KEYS[1])
if length == 1 then
  -- The stream is new, or was evicted.
  first, bytes = number, #value
end
local some, leaves, dropped = 1, most + tonumber(ARGV[5]), nil
if length > leaves then
  some, leaves = 64, most
end
while length > 1 and (length > leaves or bytes > mostBytes) do
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], dropped and '(' .. dropped or '-', '+', 'COUNT', some)) do
    if length == 1 or (length <= leaves and bytes <= mostBytes) then
      break
    end
    dropped = entry[1]
    length = length - 1
    bytes = math.max(bytes - #entry[2][2], #value)
  end
  some = math.min(2 * some, 64)
end
if dropped then
  local droppedPage, droppedNumber = string.match(dropped, '^(%d+)-(%d+)$')
  local following = string.format('%.0f', tonumber(droppedNumber) + 1)
  redis.call('XTRIM', KEYS[1], 'MINID', droppedPage .. '-' .. following)
  if droppedPage == page then
    first = following
  end
end
redis.call('SET', KEYS[2], string.format('%s %.0f %.0f %.0f %s', page, number, first, bytes, reign), 'PX', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {page, string.format('%.0f', number)}
