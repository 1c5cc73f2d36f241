using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Frames;

/// <summary>
/// Runs attackers with one connection each. An attacker sends frames, ends its side of the connection, and reads until the server closes the connection. It
/// then waits until its next connection is due.
/// </summary>
internal sealed class FrameAttack : IAttack
{
    private static readonly TimeSpan s_afterRefusal = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// The time that the server has to close the connection after the client has ended its side. If the connection closes later, it counts as hanging. On a
    /// busy machine the server may need seconds.
    /// </summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(1);

    // The maximum delay in seconds that an attacker makes up for. Connections that are overdue by more are skipped.
    private const double MaxBehindSeconds = 0.02;

    private readonly CancellationTokenSource _stop = new();
    private readonly IPEndPoint _server;
    private readonly string _kind;
    private readonly int _seed;
    private readonly double _perSecond;
    private readonly Task[] _attackers;
    private readonly Lock _lock = new();
    private long _connections;
    private long _frames;
    private long _answered;
    private long _resets;
    private long _goodbyes;
    private long _unclosed;
    private TimeSpan _longest;

    /// <summary>Starts the attack.</summary>
    /// <param name="server">The server.</param>
    /// <param name="kind">The kind of frames (<see cref="FrameScript.Of"/>).</param>
    /// <param name="attackers">The number of attackers.</param>
    /// <param name="seed">The seed of the frames.</param>
    /// <param name="rate">The maximum number of connections per second, of all attackers together.</param>
    public FrameAttack(IPEndPoint server, string kind, int attackers, int seed, double rate)
    {
        (_server, _kind, _seed, _perSecond) = (server, kind, seed, rate / attackers);
        _ = FrameScript.Of(kind, new FrameRandom(seed));
        _attackers = [.. Enumerable.Range(0, attackers).Select(attacker => Task.Run(() => AttackAsync(attacker)))];
    }

    /// <inheritdoc/>
    public JsonObject Figures() => new()
    {
        ["connections"] = _connections,
        ["frames"] = _frames,
        ["answered"] = _answered,
        ["resets"] = _resets,
        ["goodbyes"] = _goodbyes,
        ["unclosed"] = _unclosed,
        ["longestMs"] = _longest.TotalMilliseconds,
    };

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_attackers).ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task AttackAsync(int attacker)
    {
        long begun = Stopwatch.GetTimestamp();
        double skipped = 0;
        for (int connection = 0; !_stop.IsCancellationRequested;)
        {
            double due = (Stopwatch.GetElapsedTime(begun).TotalSeconds * _perSecond) - connection - skipped;
            if (due < 0)
            {
                await Task.Delay(s_tick).ConfigureAwait(false);
                continue;
            }

            skipped += Math.Max(0, due - Math.Max(1, _perSecond * MaxBehindSeconds));
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            try
            {
                await socket.ConnectAsync(_server).ConfigureAwait(false);
            }
            catch (SocketException)
            {
                await Task.Delay(s_afterRefusal).ConfigureAwait(false);
                continue;
            }

            byte[] said = FrameScript.Of(_kind, FrameRandom.OfConnection(_seed, attacker, connection++));
            long opened = Stopwatch.GetTimestamp();
            byte[] heard = await ExchangeAsync(socket, said).ConfigureAwait(false);
            Count(said, heard, Stopwatch.GetElapsedTime(opened));
        }
    }

    private async Task<byte[]> ExchangeAsync(Socket socket, byte[] said)
    {
        using var heard = new MemoryStream();
        using var patience = new CancellationTokenSource(s_patience);
        try
        {
            for (int sent = 0; sent < said.Length;)
            {
                sent += await socket.SendAsync(said.AsMemory(sent), patience.Token).ConfigureAwait(false);
            }

            socket.Shutdown(SocketShutdown.Send);
            byte[] buffer = new byte[16_384];
            int count;
            while ((count = await socket.ReceiveAsync(buffer, patience.Token).ConfigureAwait(false)) > 0)
            {
                heard.Write(buffer, 0, count);
            }
        }
        catch (SocketException)
        {
            // The server closed the connection with unread data, which is an expected result.
        }
        catch (OperationCanceledException)
        {
            Interlocked.Increment(ref _unclosed);
        }

        return heard.ToArray();
    }

    private void Count(byte[] said, byte[] heard, TimeSpan lived)
    {
        IReadOnlyList<Http2Frame> answers = Http2Frame.Read(heard);
        lock (_lock)
        {
            _connections++;
            _frames += Http2Frame.Read(said.AsSpan(FrameScript.PrefaceBytes)).Count;
            _answered += answers.Count(frame => frame.Type == Http2Frame.Headers && (frame.Flags & Http2Frame.EndStream) != 0);
            _resets += answers.Count(frame => frame.Type == Http2Frame.Reset);
            _goodbyes += answers.Any(frame => frame.Type == Http2Frame.GoAway) ? 1 : 0;
            _longest = lived > _longest ? lived : _longest;
        }
    }
}
