using System.Buffers.Binary;
using System.Diagnostics;
using Larder.Lab.Peers.Attacks;
using Larder.Wire;

namespace Larder.Lab.Peers.Near;

/// <summary>A near stream on its own connection, without the rest of a client. It keeps no copies. It records when it was notified.</summary>
internal sealed class RawNearStream : IOutputSource, IDuplexReceiver, IAsyncDisposable
{
    private const int GetField = 4, SetField = 5, NearField = 64, OpenField = 80, RenewField = 81;
    private const int ResultsField = 1, InvalidatedField = 3, ClearField = 4, IdField = 1, TicketField = 64;
    // Operations whose results are not waited for have another ID, because their results may arrive while a caller waits for others.
    private const uint WaitedId = 1, UnwaitedId = 2;
    private const int PrefixBytes = 5;
    private const ulong TtlMs = 3_600_000;

    private static readonly byte[] s_open = ProtoBytes.Framed(ProtoBytes.Operation(WaitedId, OpenField, []));
    private static readonly byte[] s_renew = ProtoBytes.Framed(ProtoBytes.Operation(UnwaitedId, RenewField, []));

    private readonly RpcChannel _channel;
    private readonly Lock _lock = new();
    private readonly Queue<byte[]> _unsent = [];
    private DuplexCall? _call;
    private int _sentOfFirst;
    private byte[] _unread = new byte[256];
    private int _unreadCount;
    private TaskCompletionSource? _waiting;
    private int _expected;
    private long _tickets;
    private long _clears;
    private long _notifiedAt;
    private long _kept;

    private RawNearStream(RpcChannel channel) => _channel = channel;

    /// <summary>Gets the number of tickets received.</summary>
    public long Tickets => Volatile.Read(ref _tickets);

    /// <summary>Gets the number of messages that make a client drop all copies.</summary>
    public long Clears => Volatile.Read(ref _clears);

    /// <summary>Gets the number of results with a ticket.</summary>
    public long Kept => Volatile.Read(ref _kept);

    /// <summary>Gets the timestamp of the last notification.</summary>
    public long NotifiedAt => Volatile.Read(ref _notifiedAt);

    /// <summary>Encodes a near get for <see cref="AskAsync"/>, or for <see cref="Send"/> if <paramref name="isWaited"/> is false.</summary>
    public static byte[] Get(byte[] key, bool isWaited)
    {
        byte[] id = ProtoBytes.Number(1, isWaited ? WaitedId : UnwaitedId);
        return ProtoBytes.Framed(ProtoBytes.Bytes(1, [.. id, .. ProtoBytes.Bytes(GetField, ProtoBytes.Bytes(1, key)), .. ProtoBytes.Number(NearField, 1)]));
    }

    /// <summary>Encodes a set for <see cref="AskAsync"/>.</summary>
    public static byte[] Set(byte[] key, byte[] value) => ProtoBytes.Framed(ProtoBytes.Operation(
        WaitedId,
        SetField,
        [.. ProtoBytes.Bytes(1, key), .. ProtoBytes.Bytes(2, value), .. ProtoBytes.Number(3, TtlMs)]));

    /// <summary>Connects, and opens a near stream if <paramref name="isNear"/> is true.</summary>
    public static async Task<RawNearStream> OpenAsync(Uri endpoint, string cache, bool isNear)
    {
        RpcChannel channel = new(new RpcChannelOptions { Endpoint = endpoint, KeepAlivePingDelay = TimeSpan.FromHours(1), StreamWindowBytes = 65_535 });
        RawNearStream stream = new(channel);
        RpcHeaders headers = new(new KeyValuePair<string, string>("cache", cache));
        stream._call = await channel.OpenDuplexAsync(PipelinedAttack.Path, headers, CancellationToken.None).ConfigureAwait(false);
        stream._call.Receive(stream);
        stream._call.Send(stream);
        if (isNear)
        {
            await stream.AskAsync([s_open]).ConfigureAwait(false);
        }

        return stream;
    }

    /// <summary>Sends operations without waiting for their results.</summary>
    public void Send(byte[] operation)
    {
        lock (_lock)
        {
            _unsent.Enqueue(operation);
        }

        _call!.Signal();
    }

    /// <summary>Renews the lease, without waiting for the result.</summary>
    public void Renew() => Send(s_renew);

    /// <summary>Sends operations and waits for as many results.</summary>
    public async Task AskAsync(IReadOnlyCollection<byte[]> operations)
    {
        TaskCompletionSource done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            _expected = operations.Count;
            _waiting = done;
            foreach (byte[] operation in operations)
            {
                _unsent.Enqueue(operation);
            }
        }

        _call!.Signal();
        await done.Task.WaitAsync(TimeSpan.FromSeconds(60)).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_call is not null)
        {
            await _call.DisposeAsync().ConfigureAwait(false);
        }

        await _channel.DisposeAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    int IOutputSource.Read(Span<byte> room)
    {
        int read = 0;
        lock (_lock)
        {
            while (read < room.Length && _unsent.TryPeek(out byte[]? first))
            {
                int length = Math.Min(room.Length - read, first.Length - _sentOfFirst);
                first.AsSpan(_sentOfFirst, length).CopyTo(room[read..]);
                read += length;
                _sentOfFirst += length;
                if (_sentOfFirst == first.Length)
                {
                    _unsent.Dequeue();
                    _sentOfFirst = 0;
                }
            }
        }

        return read;
    }

    /// <inheritdoc/>
    void IDuplexReceiver.OnBytes(ReadOnlySpan<byte> bytes, ICallerBatch callers)
    {
        if (_unreadCount + bytes.Length > _unread.Length)
        {
            Array.Resize(ref _unread, Math.Max(2 * _unread.Length, _unreadCount + bytes.Length));
        }

        bytes.CopyTo(_unread.AsSpan(_unreadCount));
        _unreadCount += bytes.Length;
        int at = 0;
        while (_unreadCount - at >= PrefixBytes && BinaryPrimitives.ReadInt32BigEndian(_unread.AsSpan(at + 1)) is int length
            && _unreadCount - at >= PrefixBytes + length)
        {
            Read(_unread.AsSpan(at + PrefixBytes, length));
            at += PrefixBytes + length;
        }

        _unread.AsSpan(at, _unreadCount - at).CopyTo(_unread);
        _unreadCount -= at;
    }

    /// <inheritdoc/>
    void IDuplexReceiver.OnReadEnd(ICallerBatch callers)
    {
    }

    /// <inheritdoc/>
    void IDuplexReceiver.OnEnded(Exception? error) => _waiting?.TrySetException(error ?? new IOException("the server ended the stream"));

    private void Read(ReadOnlySpan<byte> message)
    {
        int results = 0;
        for (int at = 0; at < message.Length;)
        {
            (int field, ulong number, ReadOnlySpan<byte> bytes) = Field(message, ref at);
            if (field == InvalidatedField)
            {
                long tickets = 0;
                foreach (byte each in bytes)
                {
                    tickets += each < 0x80 ? 1 : 0;
                }

                Volatile.Write(ref _tickets, _tickets + Math.Max(1, tickets));
                Volatile.Write(ref _notifiedAt, Stopwatch.GetTimestamp());
            }
            else if (field == ClearField && number == 1)
            {
                Volatile.Write(ref _clears, _clears + 1);
                Volatile.Write(ref _notifiedAt, Stopwatch.GetTimestamp());
            }
            else if (field == ResultsField)
            {
                for (int part = 0; part < bytes.Length;)
                {
                    FieldValue of = Field(bytes, ref part);
                    results += of is { Field: IdField, Number: WaitedId } ? 1 : 0;
                    if (of is { Field: TicketField, Number: > 0 })
                    {
                        Volatile.Write(ref _kept, _kept + 1);
                    }
                }
            }
        }

        if (results > 0 && (_expected -= results) == 0)
        {
            _waiting?.TrySetResult();
        }
    }

    private static FieldValue Field(ReadOnlySpan<byte> message, ref int at)
    {
        ulong tag = Varint(message, ref at);
        ulong number = Varint(message, ref at);
        if ((tag & 7) != 2)
        {
            return new FieldValue((int)(tag >> 3), number, []);
        }

        at += (int)number;
        return new FieldValue((int)(tag >> 3), 0, message[(at - (int)number)..at]);
    }

    private static ulong Varint(ReadOnlySpan<byte> bytes, ref int at)
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte next = bytes[at++];
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
            {
                return value;
            }
        }
    }

    // The messages that a stream receives have only varints and length-delimited fields.
    private readonly ref struct FieldValue(int field, ulong number, ReadOnlySpan<byte> bytes)
    {
        public int Field { get; } = field;

        public ulong Number { get; } = number;

        public ReadOnlySpan<byte> Bytes { get; } = bytes;

        public void Deconstruct(out int field, out ulong number, out ReadOnlySpan<byte> bytes)
        {
            (field, number) = (Field, Number);
            bytes = Bytes;
        }
    }
}
