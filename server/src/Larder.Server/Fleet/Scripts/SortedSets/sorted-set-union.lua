-- Puts the union of sorted sets of one slot in the place of one, and answers its length.
-- KEYS: the item, the sources. ARGV: SUM, MIN or MAX, TTL in ms; then a weight for each source.
-- The engine takes sets for sources too, and any item for the destination.
for index = 1, #KEYS do
  redis.call('ZCARD', KEYS[index])
end
local command = {'ZUNIONSTORE', KEYS[1], #KEYS - 1}
for index = 2, #KEYS do
  command[#command + 1] = KEYS[index]
end
command[#command + 1] = 'WEIGHTS'
for index = 3, #ARGV do
  command[#command + 1] = ARGV[index]
end
command[#command + 1] = 'AGGREGATE'
command[#command + 1] = ARGV[1]
local length = redis.call(unpack(command))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return length
