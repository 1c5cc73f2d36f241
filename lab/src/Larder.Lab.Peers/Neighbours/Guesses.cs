using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>Calls with wrong tokens at a steady rate, from one address over a few connections; one that is dropped is opened anew.</summary>
internal sealed class Guesses : IAsyncDisposable
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(1);

    // A connection's numbers of streams end at 2^31; so many calls are two days of a connection's part of the rate.
    private const int MostCalls = 1 << 29;

    // A late attacker catches up with so much of its rate at once.
    private const double MostBehindSeconds = 0.02;

    private readonly CancellationTokenSource _stop = new();
    private readonly IPEndPoint _server;
    private readonly IPAddress _from;
    private readonly double _perSecond;
    private readonly Task[] _guessers;
    private long _sent;
    private long _answered;
    private long _connections;

    /// <summary>Begins.</summary>
    /// <param name="server">Whom to ask.</param>
    /// <param name="from">The address to come from.</param>
    /// <param name="rate">Calls a second, of all connections together.</param>
    /// <param name="connections">Connections at a time.</param>
    public Guesses(IPEndPoint server, IPAddress from, double rate, int connections)
    {
        _server = server;
        _from = from;
        _perSecond = rate / connections;
        _guessers = [.. Enumerable.Range(0, connections).Select(number => Task.Run(() => GuessAsync(number)))];
    }

    /// <summary>Calls sent.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    /// <summary>Of them answered.</summary>
    public long Answered => Interlocked.Read(ref _answered);

    /// <summary>Connections opened.</summary>
    public long Connections => Interlocked.Read(ref _connections);

    /// <summary>Ends it.</summary>
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
                await GuessOnAsync(socket, frames, number, reading).ConfigureAwait(false);
            }
            catch (Exception dropped) when (dropped is SocketException or OperationCanceledException)
            {
                await Task.Delay(s_tick).ConfigureAwait(false);
            }

            socket.Dispose();
            await reading.ConfigureAwait(false);
        }
    }

    private async Task GuessOnAsync(Socket socket, GuessFrames frames, int number, Task reading)
    {
        byte[] batch = new byte[frames.Length * Math.Max(1, (int)(_perSecond * MostBehindSeconds))];
        using var timer = new PeriodicTimer(s_tick);
        long begun = Stopwatch.GetTimestamp();
        double skipped = 0;
        for (int call = 0; call < MostCalls && !reading.IsCompleted;)
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

    // Each refusal is one frame of headers, which ends its stream.
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
            // The end, as well.
        }
    }

    private static int Length(byte[] frame, int at) => (frame[at] << 16) | (frame[at + 1] << 8) | frame[at + 2];
}
