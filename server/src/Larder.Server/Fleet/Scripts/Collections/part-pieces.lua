-- A part of scripts. Reads count elements from the first on, some at a time, so that no reply of the engine is larger than some elements are.
-- read(at, some) answers them, width values for each, the first of which counts. Answers the values, and how many elements they are of: fewer than count where
-- their bytes pass a page's; 1 where they are more bytes than the answer may have (beside is what an element takes beside its own); -2 where they are more
-- than turn bytes.
local function gather(read, first, count, width, most, beside, turn)
  local got, values, bytes, at, some = {}, 0, 0, 0, 1
  while at < count and bytes < 524288 do
    local asked = math.min(some, count - at)
    local part = read(first + at, asked)
    local before = bytes
    for index = 1, #part, width do
      bytes = bytes + #part[index]
    end
    at = at + asked
    if bytes > turn then
      return -2, at
    end
    if bytes + at * beside > most then
      return 1, at
    end
    if asked == count then
      return part, at
    end
    for index = 1, #part do
      got[values + index] = part[index]
    end
    values = values + #part
    some = bytes - before <= 65536 and math.min(2 * some, 256) or 1
  end
  return got, at
end
