using System.Buffers.Binary;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>A near stream of the tenant. Counts the messages with which the server makes the tenant drop all copies.</summary>
internal sealed class NearWatch(RpcChannel channel, RpcHeaders headers) : IOutputSource, IAsyncDisposable
{
    private const int OpenField = 80, RenewField = 81, ResultsField = 1, ClearField = 4;
    private const int PrefixBytes = 5;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly List<byte> _unsent = [];
    private DuplexCall? _call;
    private byte[] _unread = [];

    /// <summary>Gets the number of messages that made the tenant drop all copies.</summary>
    public long Clears { get; private set; }

    /// <summary>Opens the near stream.</summary>
    /// <exception cref="IOException">The server refused the stream.</exception>
    public async Task OpenAsync()
    {
        using CancellationTokenSource limit = new(s_timeout);
        _call = await channel.OpenDuplexAsync(PipelinedAttack.Path, headers, limit.Token).ConfigureAwait(false);
        _call.Send(this);
        await AskAsync(OpenField).ConfigureAwait(false);
    }

    /// <summary>Renews the lease.</summary>
    /// <exception cref="IOException">The server refused the renewal.</exception>
    public Task RenewAsync() => AskAsync(RenewField);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _call?.DisposeAsync() ?? ValueTask.CompletedTask;

    /// <inheritdoc/>
    int IOutputSource.Read(Span<byte> room)
    {
        lock (_lock)
        {
            int length = Math.Min(room.Length, _unsent.Count);
            _unsent.GetRange(0, length).ToArray().CopyTo(room);
            _unsent.RemoveRange(0, length);
            return length;
        }
    }

    // Sends a request and waits for its result. The result contains the same field as the request, or an error status.
    private async Task AskAsync(int field)
    {
        if (_call is null)
        {
            throw new IOException("the near stream is not open");
        }

        lock (_lock)
        {
            _unsent.AddRange(ProtoBytes.Framed(ProtoBytes.Operation((uint)field, field, [])));
        }

        _call.Signal();
        while (true)
        {
            foreach ((int name, ulong number, ReadOnlyMemory<byte> bytes) in ProtoBytes.Read(await ReadAsync().ConfigureAwait(false)))
            {
                Clears += name == ClearField && number == 1 ? 1 : 0;
                if (name == ResultsField && ProtoBytes.Read(bytes) is { } result && result.Any(part => part.Field == 1 && part.Number == (ulong)field))
                {
                    _ = result.Any(part => part.Field == field) ? true : throw new IOException("refused");
                    return;
                }
            }
        }
    }

    private async Task<byte[]> ReadAsync()
    {
        byte[] chunk = new byte[16 * 1024];
        while (_unread.Length < PrefixBytes || _unread.Length < PrefixBytes + BinaryPrimitives.ReadInt32BigEndian(_unread.AsSpan(1)))
        {
            int read = await _call!.ReadAsync(chunk).AsTask().WaitAsync(s_timeout).ConfigureAwait(false);
            _unread = read == 0 ? throw new IOException("the server ended the near stream") : [.. _unread, .. chunk.AsSpan(0, read)];
        }

        int end = PrefixBytes + BinaryPrimitives.ReadInt32BigEndian(_unread.AsSpan(1));
        byte[] message = _unread[PrefixBytes..end];
        _unread = _unread[end..];
        return message;
    }
}
