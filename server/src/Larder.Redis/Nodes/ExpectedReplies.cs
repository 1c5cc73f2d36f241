namespace Larder.Redis;

/// <summary>
/// The commands of a connection that were written, in the order of their replies. The owner limits the number of commands according to
/// <see cref="ConnectionLimits"/>. Guarded by the connection's lock.
/// </summary>
internal sealed class ExpectedReplies
{
    private Entry[] _entries = new Entry[64];

    /// <summary>Gets the number of commands added since the connection was opened.</summary>
    public long Added { get; private set; }

    /// <summary>Gets the number of commands removed since the connection was opened.</summary>
    public long Taken { get; private set; }

    /// <summary>Gets the number of commands whose reply has not arrived yet.</summary>
    public int Count => (int)(Added - Taken);

    /// <summary>Gets the total encoded size of the commands whose reply has not arrived yet, in bytes.</summary>
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
    /// Removes the first commands from the queue and fills <paramref name="into"/> with them. An entry is null if its command has already ended. Returns false
    /// if there are too few commands.
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
    /// Removes the commands whose deadline has passed, but keeps their positions for their replies. Returns the earliest deadline of the remaining commands, or
    /// the maximum value if they have no deadlines.
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
