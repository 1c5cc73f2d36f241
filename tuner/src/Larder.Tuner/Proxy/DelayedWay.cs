using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Sockets;
using Larder.Agent;

namespace Larder.Tuner.Proxy;

/// <summary>
/// One direction of a connection: a thread reads and stamps what it read with the time at which it is to arrive, another sends it then. Threads, because the
/// pool's timers are a millisecond coarse. Between them lie at most <see cref="MaxChunks"/> chunks of at most 64 KB: 64 MB, what 30 ms at 17 Gbit/s hold;
/// beyond it the reader waits, and TCP holds the sender back.
/// </summary>
internal sealed class DelayedWay : IDisposable
{
    private const int MaxChunks = 1024;
    private const int ChunkBytes = 64 * 1024;

    private readonly Socket _from;
    private readonly Socket _to;
    private readonly ArrivalTimes _arrivals;
    private readonly BlockingCollection<(long Due, byte[] Chunk, int Length)> _held = new(MaxChunks);
    private readonly TaskCompletionSource _readingEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _sendingEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Begins to carry from one socket to the other.</summary>
    public DelayedWay(Socket from, Socket to, DelaySetting delay)
    {
        (_from, _to) = (from, to);
        _arrivals = new ArrivalTimes(delay, Random.Shared.Next());
        Start(Read, "delay proxy reads");
        Start(Send, "delay proxy sends");
    }

    /// <summary>Done when the sender's end has been passed on, or the connection is broken.</summary>
    public Task Ended => Task.WhenAll(_readingEnded.Task, _sendingEnded.Task);

    /// <summary>To be called when it has ended.</summary>
    public void Dispose() => _held.Dispose();

    private static void Start(Action work, string name) => new Thread(() => work()) { IsBackground = true, Name = name }.Start();

    private void Read()
    {
        try
        {
            while (!_held.IsAddingCompleted)
            {
                byte[] chunk = ArrayPool<byte>.Shared.Rent(ChunkBytes);
                int length = _from.Receive(chunk, 0, ChunkBytes, SocketFlags.None);
                // The end arrives as late as anything else.
                _held.Add((_arrivals.Next(Stopwatch.GetTimestamp()), chunk, length));
                if (length == 0)
                {
                    break;
                }
            }
        }
        catch (Exception broken) when (broken is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // Reset, or closed by the other direction: the sending side ends too.
        }

        _held.CompleteAdding();
        _readingEnded.SetResult();
    }

    private void Send()
    {
        try
        {
            foreach ((long due, byte[]? chunk, int length) in _held.GetConsumingEnumerable())
            {
                WaitUntil(due);
                _to.Send(chunk, 0, length, SocketFlags.None);
                ArrayPool<byte>.Shared.Return(chunk);
            }

            _to.Shutdown(SocketShutdown.Send);
        }
        catch (Exception broken) when (broken is SocketException or ObjectDisposedException)
        {
            // The receiver is gone: reading on would only fill the queue.
            _from.Dispose();
        }

        _held.CompleteAdding();
        _sendingEnded.SetResult();
    }

    private static void WaitUntil(long due)
    {
        for (long left = due - Stopwatch.GetTimestamp(); left > 0; left = due - Stopwatch.GetTimestamp())
        {
            PreciseSleep.For(TimeSpan.FromSeconds((double)left / Stopwatch.Frequency));
        }
    }
}
