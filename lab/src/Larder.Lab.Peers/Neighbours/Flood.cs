using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>
/// Attackers of one kind, each with one connection at a time. An attacker floods its connection until the server closes it, and then reconnects immediately.
/// </summary>
internal sealed class Flood : IAttack
{
    /// <summary>
    /// The number of batches that are built in advance, so that the attackers use their CPU time for sending. A connection that needs more batches sends them
    /// again.
    /// </summary>
    private const int MadeBatches = 50;

    /// <summary>The delay after a refused connection, so that the attack does not become a busy loop.</summary>
    private static readonly TimeSpan s_afterRefusal = TimeSpan.FromMilliseconds(10);

    private readonly CancellationTokenSource _stop = new();
    private readonly IPEndPoint _server;
    private readonly byte[] _opening;
    private readonly byte[][] _batches;
    private readonly Task[] _attackers;
    private readonly Lock _lock = new();
    private long _connections;
    private long _dropped;
    private long _frames;
    private TimeSpan _longest;

    public Flood(IPEndPoint server, string kind, int attackers)
    {
        var frames = FloodFrames.Of(kind);
        _server = server;
        _opening = frames.Opening;
        _batches = [.. Enumerable.Range(0, MadeBatches).Select(frames.Batch)];
        _attackers = [.. Enumerable.Range(0, attackers).Select(_ => Task.Run(AttackAsync))];
    }

    /// <inheritdoc/>
    public JsonObject Figures() => new()
    {
        ["connections"] = _connections,
        ["dropped"] = _dropped,
        ["frames"] = _frames,
        ["longestMs"] = _longest.TotalMilliseconds,
    };

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_attackers).ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task AttackAsync()
    {
        byte[] thrownAway = new byte[16 * 1024];
        while (!_stop.IsCancellationRequested)
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            try
            {
                await socket.ConnectAsync(_server, _stop.Token).ConfigureAwait(false);
            }
            catch (SocketException)
            {
                await Task.Delay(s_afterRefusal).ConfigureAwait(false);
                continue;
            }
            catch (OperationCanceledException)
            {
                return;
            }

            long begun = Stopwatch.GetTimestamp();
            Task reading = DiscardAsync(socket, thrownAway);
            int batches = await SendUntilDroppedAsync(socket, reading).ConfigureAwait(false);
            Count(batches, Stopwatch.GetElapsedTime(begun));
            socket.Dispose();
            await reading.ConfigureAwait(false);
        }
    }

    private async Task<int> SendUntilDroppedAsync(Socket socket, Task reading)
    {
        int number = 0;
        try
        {
            await SendAsync(socket, _opening).ConfigureAwait(false);
            for (; !reading.IsCompleted; number++)
            {
                await SendAsync(socket, _batches[number % MadeBatches]).ConfigureAwait(false);
            }
        }
        catch (Exception dropped) when (dropped is SocketException or OperationCanceledException)
        {
            // The server closed the connection, which is the expected result.
        }

        return number;
    }

    private async Task SendAsync(Socket socket, ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[await socket.SendAsync(bytes, _stop.Token).ConfigureAwait(false)..];
        }
    }

    private static async Task DiscardAsync(Socket socket, byte[] buffer)
    {
        try
        {
            while (await socket.ReceiveAsync(buffer).ConfigureAwait(false) > 0)
            {
            }
        }
        catch (Exception dropped) when (dropped is SocketException or ObjectDisposedException)
        {
            // The connection has ended.
        }
    }

    private void Count(int batches, TimeSpan lived)
    {
        lock (_lock)
        {
            _connections++;
            _dropped += _stop.IsCancellationRequested ? 0 : 1;
            _frames += (long)batches * FloodFrames.PerBatch;
            _longest = lived > _longest ? lived : _longest;
        }
    }
}
