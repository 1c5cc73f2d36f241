namespace Larder.Redis;

/// <summary>
/// The commands of a connection that were written, in the order of their answers. Bounded by <see cref="ConnectionLimits"/>, which its owner checks. Under the
/// connection's lock.
/// </summary>
internal sealed class ExpectedReplies
{
    private Entry[] _entries = new Entry[64];

    /// <summary>Commands ever added.</summary>
    public long Added { get; private set; }

    /// <summary>Commands ever taken.</summary>
    public long Taken { get; private set; }

    /// <summary>Commands not answered.</summary>
    public int Count => (int)(Added - Taken);

    /// <summary>Their encoded bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Adds a command at the end.</summary>
    public void Add(RedisCommand command, int bytes)
    {
        if (Count == _entries.Length)
        {
            Grow();
        }

        At(Added++) = new Entry(command, bytes);
        Bytes += bytes;
    }

    /// <summary>
    /// Takes as many as <paramref name="into"/> has places from the front; null for one that has ended meanwhile. False where there are fewer.
    /// </summary>
    public bool TryTake(Span<RedisCommand?> into)
    {
        if (Count < into.Length)
        {
            return false;
        }

        for (int index = 0; index < into.Length; index++)
        {
            ref Entry entry = ref At(Taken++);
            into[index] = entry.Command;
            Bytes -= entry.Bytes;
            entry = default;
        }

        return true;
    }

    /// <summary>
    /// Takes out those whose deadline has come; their places are kept for their answers. The earliest deadline of the others; the longest time for none.
    /// </summary>
    public long Expire(long now, List<RedisCommand> expired)
    {
        long earliest = long.MaxValue;
        for (long number = Taken; number < Added; number++)
        {
            ref Entry entry = ref At(number);
            if (entry.Command is not { Deadline: not 0 and var deadline } command)
            {
                continue;
            }

            if (deadline <= now)
            {
                entry = entry with { Command = null };
                expired.Add(command);
            }
            else
            {
                earliest = Math.Min(earliest, deadline);
            }
        }

        return earliest;
    }

    private ref Entry At(long number) => ref _entries[number & (_entries.Length - 1)];

    private void Grow()
    {
        var larger = new Entry[_entries.Length * 2];
        for (long number = Taken; number < Added; number++)
        {
            larger[number & (larger.Length - 1)] = At(number);
        }

        _entries = larger;
    }

    private readonly record struct Entry(RedisCommand? Command, int Bytes);
}
