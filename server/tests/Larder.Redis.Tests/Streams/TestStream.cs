using System.Text;

namespace Larder.Redis.Tests.Streams;

/// <summary>A stream that a test follows from its beginning. It records the entries as <c>id=value</c>.</summary>
internal sealed class TestStream(string key) : FollowedStream(Encoding.Latin1.GetBytes(key))
{
    private static readonly RedisScript s_opening = new(
        "last", "local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1] return last and last[1] or '0-0'");

    private readonly List<string> _entries = [];
    private int _openings;
    private int _readings;

    public int Openings => Volatile.Read(ref _openings);

    public int Readings => Volatile.Read(ref _readings);

    public RedisFailure? Failure { get; private set; }

    /// <summary>Gets the exception that is thrown for each entry; null if no exception is thrown.</summary>
    public Exception? Fault { get; init; }

    public string[] Entries
    {
        get
        {
            lock (_entries)
            {
                return [.. _entries];
            }
        }
    }

    protected internal override void BeginOpening(RedisCommand command)
    {
        command.BeginScript(s_opening, 1, 0);
        command.AddKey(default, Key.Span);
    }

    protected internal override StreamId OnOpened(ref RespReader reply)
    {
        Interlocked.Increment(ref _openings);
        var last = StreamId.Parse(reply.Bytes);
        return last < Position ? last : Position;
    }

    protected internal override void OnNotOpened(RedisFailure failure) => Failure = failure;

    protected internal override void OnEntry(StreamId id, ref RespReader fields)
    {
        if (Fault is not null)
        {
            throw Fault;
        }

        fields.Read();
        fields.Read();
        lock (_entries)
        {
            _entries.Add($"{id}={Encoding.Latin1.GetString(fields.Bytes)}");
        }
    }

    protected internal override ValueTask OnReadAsync()
    {
        Interlocked.Increment(ref _readings);
        return default;
    }
}
