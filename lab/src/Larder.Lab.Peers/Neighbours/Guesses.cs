using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>
/// Makes calls with wrong tokens at a constant rate, from one address over a few connections. A connection that the server closes is reopened.
/// </summary>
internal sealed class Guesses : IAsyncDisposable
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(1);

    // The maximum number of calls on a connection. Stream ids are odd numbers below 2^31, which would allow twice as many calls. At 3,000 calls per second, a
    // connection reaches the maximum after two days.
    private const int MaxCalls = 1 << 29;

    // The maximum delay in seconds that a connection makes up for. Calls that are overdue by more are skipped.
    private const double MaxBehindSeconds = 0.02;

    private readonly CancellationTokenSource _stop = new();
    private readonly IPEndPoint _server;
    private readonly IPAddress _from;
    private readonly double _perSecond;
    private readonly Task[] _guessers;
    private long _sent;
    private long _answered;
    private long _connections;

    /// <summary>Starts the calls.</summary>
    /// <param name="server">The server.</param>
    /// <param name="from">The source address.</param>
    /// <param name="rate">The calls per second, of all connections together.</param>
    /// <param name="connections">The number of concurrent connections.</param>
    public Guesses(IPEndPoint server, IPAddress from, double rate, int connections)
    {
        _server = server;
        _from = from;
        _perSecond = rate / connections;
        _guessers = [.. Enumerable.Range(0, connections).Select(number => Task.Run(() => GuessAsync(number)))];
    }

    /// <summary>Gets the number of calls sent.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    /// <summary>Gets the number of calls to which the server responded.</summary>
    public long Answered => Interlocked.Read(ref _answered);

    /// <summary>Gets the number of connections opened.</summary>
    public long Connections => Interlocked.Read(ref _connections);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_guessers).ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task GuessAsync(int number)
    {
        var frames = new GuessFrames(_server.ToString());
        while (!_stop.IsCancellationRequested)
        {
            using var socket = new Socket(_server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            Task reading = Task.CompletedTask;
            try
            {
                socket.Bind(new IPEndPoint(_from, 0));
                await socket.ConnectAsync(_server, _stop.Token).ConfigureAwait(false);
                Interlocked.Increment(ref _connections);
                reading = CountAnswersAsync(socket);
                await SendAsync(socket, GuessFrames.Opening).ConfigureAwait(false);
                await GuessOnConnectionAsync(socket, frames, number, reading).ConfigureAwait(false);
            }
            catch (Exception dropped) when (dropped is SocketException or OperationCanceledException)
            {
                await Task.Delay(s_tick).ConfigureAwait(false);
            }

            socket.Dispose();
            await reading.ConfigureAwait(false);
        }
    }

    private async Task GuessOnConnectionAsync(Socket socket, GuessFrames frames, int number, Task reading)
    {
        byte[] batch = new byte[frames.Length * Math.Max(1, (int)(_perSecond * MaxBehindSeconds))];
        using var timer = new PeriodicTimer(s_tick);
        long begun = Stopwatch.GetTimestamp();
        double skipped = 0;
        for (int call = 0; call < MaxCalls && !reading.IsCompleted;)
        {
            await timer.WaitForNextTickAsync(_stop.Token).ConfigureAwait(false);
            double due = (Stopwatch.GetElapsedTime(begun).TotalSeconds * _perSecond) - call - skipped;
            int now = (int)Math.Min(due, batch.Length / frames.Length);
            skipped += Math.Max(0, due - now - 1);
            for (int i = 0; i < now; i++, call++)
            {
                frames.Write(batch.AsSpan(i * frames.Length), call, ((long)number * 10_000_000) + call);
            }

            await SendAsync(socket, batch.AsMemory(0, now * frames.Length)).ConfigureAwait(false);
            Interlocked.Add(ref _sent, now);
        }
    }

    private async Task SendAsync(Socket socket, ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[await socket.SendAsync(bytes, _stop.Token).ConfigureAwait(false)..];
        }
    }

    // Counts the rejections. Each rejection is one HEADERS frame, which ends its stream.
    private async Task CountAnswersAsync(Socket socket)
    {
        byte[] buffer = new byte[64 * 1024];
        int kept = 0;
        try
        {
            while (await socket.ReceiveAsync(buffer.AsMemory(kept)).ConfigureAwait(false) is > 0 and int read)
            {
                int end = kept + read;
                int at = 0;
                while (end - at >= 9 && end - at >= 9 + Length(buffer, at))
                {
                    Interlocked.Add(ref _answered, buffer[at + 3] == 1 ? 1 : 0);
                    at += 9 + Length(buffer, at);
                }

                buffer.AsSpan(at, end - at).CopyTo(buffer);
                kept = end - at;
            }
        }
        catch (Exception dropped) when (dropped is SocketException or ObjectDisposedException)
        {
            // The connection has ended.
        }
    }

    private static int Length(byte[] frame, int at) => (frame[at] << 16) | (frame[at + 1] << 8) | frame[at + 2];
}
