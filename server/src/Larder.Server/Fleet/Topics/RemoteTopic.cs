using System.Buffers;
using System.Globalization;
using System.Text;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Topics;
using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>Reads a topic's Redis stream continuously and adds its messages to the local feed.</summary>
/// <param name="cacheId">The ID of the cache.</param>
/// <param name="keys">The Redis keys of the topic.</param>
/// <param name="feed">The feed that the subscribers on this gateway read.</param>
internal sealed class RemoteTopic(long cacheId, RemoteTopicKeys keys, TopicFeed feed) : FollowedStream(keys.Stream)
{
    private readonly Lock _lock = new();

    // There are three groups of waiting callers. The first group waits until topic-open.lua is sent again. The second group waits for the reply of the script
    // that was sent. The third group waits until the feed reaches the position in that reply.
    private TaskCompletionSource<CallError?>? _asking;
    private List<TaskCompletionSource<CallError?>> _opening = [];
    private List<TaskCompletionSource<CallError?>> _reading = [];
    private StreamId _target;
    private bool _hasOpened;

    public long CacheId => cacheId;

    public RemoteTopicKeys Keys => keys;

    public TopicFeed Feed => feed;

    /// <summary>Gets or sets the number of consecutive cleanup runs of the broker that found no subscriber. Guarded by the broker's lock.</summary>
    public int IdlePolls { get; set; }

    /// <summary>
    /// Returns a task that completes when the feed contains all messages published before this call. The result is null, or the error that prevented this.
    /// </summary>
    public Task<CallError?> WhenCaughtUp()
    {
        lock (_lock)
        {
            return (_asking ??= new TaskCompletionSource<CallError?>(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <summary>Ends the feed and fails all waiting callers.</summary>
    public void End(CallError error)
    {
        feed.End(error);
        lock (_lock)
        {
            TakeAsking();
            _opening.AddRange(_reading);
            _reading.Clear();
        }

        FailOpening(error);
    }

    protected override void BeginOpening(RedisCommand command)
    {
        lock (_lock)
        {
            TakeAsking();
        }

        command.BeginScript(FleetScripts.TopicOpen, 2, 1);
        command.AddKey(default, keys.Stream);
        command.AddKey(default, keys.Place);
        command.Add((long)TopicLimits.DeletedAfterIdle.TotalMilliseconds);
    }

    protected override StreamId OnOpened(ref RespReader reply)
    {
        ulong page = ReadNumber(ref reply);
        StreamId newest = new(page, ReadNumber(ref reply));
        ulong first = ReadNumber(ref reply);
        StreamId next = Position;
        if (!_hasOpened || (first > newest.Number && newest > Position))
        {
            // Reading starts at the first kept message. If no message is kept, the first number is the newest number plus one, so reading starts after the
            // newest message.
            _hasOpened = true;
            next = newest with { Number = first - 1 };
            feed.Skip(new TopicPosition(next.Page, next.Number));
        }
        else if (newest < Position)
        {
            // A failover has lost messages that this gateway has already read. The next publish begins a new page, which subscribers receive as a
            // discontinuity.
            next = newest;
        }

        lock (_lock)
        {
            _reading.AddRange(_opening);
            _opening.Clear();
            _target = newest;
        }

        CompleteUpTo(next);
        return next;
    }

    protected override void OnNotOpened(RedisFailure failure) => FailOpening(FleetErrors.Of(failure));

    protected override void OnEntry(StreamId id, ref RespReader fields)
    {
        ReadOnlySpan<byte> value = default;
        string publisher = "";
        for (int pairs = fields.Count / 2; pairs > 0; pairs--)
        {
            fields.Read();
            ReadOnlySpan<byte> name = fields.Bytes;
            fields.Read();
            if (name.SequenceEqual("v"u8))
            {
                value = fields.Bytes;
            }
            else if (name.SequenceEqual("p"u8))
            {
                publisher = Encoding.UTF8.GetString(fields.Bytes);
            }
        }

        TopicPosition at = new(id.Page, id.Number);
        if (!TryReadLength(value, out int valueBytes))
        {
            // This entry is invalid. No gateway writes such an entry.
            feed.Skip(at);
            return;
        }

        byte[] copy = ArrayPool<byte>.Shared.Rent(value.Length);
        value.CopyTo(copy);
        feed.Append(at, new TopicMessage(copy.AsMemory(0, value.Length), valueBytes, publisher));
        ArrayPool<byte>.Shared.Return(copy);
    }

    protected override ValueTask OnReadAsync()
    {
        CompleteUpTo(Position);
        return feed.WaitForRoundAsync();
    }

    private static ulong ReadNumber(ref RespReader reply)
    {
        reply.Read();
        return ulong.Parse(reply.Bytes, NumberStyles.None, CultureInfo.InvariantCulture);
    }

    private static bool TryReadLength(ReadOnlySpan<byte> value, out int valueBytes)
    {
        ProtoReader reader = new(value);
        valueBytes = 0;
        bool isValue = reader.NextField() && reader.Field is 1 or 2 && reader.WireType == ProtoWireType.LengthDelimited;
        if (!isValue || !reader.TryReadBytes(out ReadOnlySpan<byte> bytes))
        {
            return false;
        }

        valueBytes = bytes.Length;
        return reader.Position == value.Length;
    }

    // The caller must hold the lock.
    private void TakeAsking()
    {
        if (_asking is not null)
        {
            _opening.Add(_asking);
            _asking = null;
        }
    }

    private void CompleteUpTo(StreamId position)
    {
        List<TaskCompletionSource<CallError?>> ended;
        lock (_lock)
        {
            if (_reading.Count == 0 || position < _target)
            {
                return;
            }

            ended = _reading;
            _reading = [];
        }

        ended.ForEach(static each => each.TrySetResult(null));
    }

    private void FailOpening(CallError error)
    {
        List<TaskCompletionSource<CallError?>> ended;
        lock (_lock)
        {
            ended = _opening;
            _opening = [];
        }

        ended.ForEach(each => each.TrySetResult(error));
    }
}
