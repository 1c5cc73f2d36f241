using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Sockets;

namespace Larder.Harness.Proxies;

/// <summary>
/// Delays bytes, and the end of the stream, on their way to a socket. A dedicated thread sends them, because thread-pool timers have a resolution of a
/// millisecond. The queue contains at most <see cref="MaxChunks"/> chunks of 64 KiB each, 64 MiB in total. This is the data of 30 ms at 17 Gbit/s. When the
/// queue is full, the method that adds chunks waits, so TCP throttles the sender.
/// </summary>
internal sealed class DelayLine : IDisposable
{
    private const int MaxChunks = 1024;

    private readonly Socket _to;
    private readonly NetworkDelay _delay;
    private readonly ArrivalTimes _arrivals;
    private readonly BlockingCollection<(long Due, byte[] Chunk)> _held = [];
    private readonly SemaphoreSlim _room = new(MaxChunks);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Starts the sending thread.</summary>
    public DelayLine(Socket to, NetworkDelay delay)
    {
        (_to, _delay, _arrivals) = (to, delay, new ArrivalTimes(delay, Random.Shared.Next()));
        new Thread(Send) { IsBackground = true, Name = "proxy sends" }.Start();
    }

    /// <summary>A task that completes when the sender's end of stream has been forwarded. It fails if the receiver has closed the connection.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Adds a chunk that was just received. An empty chunk represents the sender's end of stream.</summary>
    public async Task AddAsync(ReadOnlyMemory<byte> chunk)
    {
        long due = _arrivals.Next(Stopwatch.GetTimestamp());
        // If the receiver has closed the connection, this throws. Otherwise it would wait forever, because no space would ever become free in the queue.
        await (await Task.WhenAny(Ended, _room.WaitAsync()).ConfigureAwait(false)).ConfigureAwait(false);
        if (!_held.IsAddingCompleted)
        {
            _held.Add((due, chunk.ToArray()));
        }
    }

    /// <summary>Stops sending and discards the queued chunks.</summary>
    public void Dispose()
    {
        _held.CompleteAdding();
        while (_held.TryTake(out _))
        {
        }
    }

    private void Send()
    {
        try
        {
            foreach ((long due, byte[] chunk) in _held.GetConsumingEnumerable())
            {
                WaitUntil(due);
                if (chunk.Length == 0)
                {
                    _to.Shutdown(SocketShutdown.Send);
                    break;
                }

                _to.Send(chunk);
                _room.Release();
            }

            _ended.SetResult();
        }
        catch (Exception broken) when (broken is SocketException or ObjectDisposedException)
        {
            _ended.SetException(broken);
        }
    }

    private void WaitUntil(long due)
    {
        for (long left = due - Stopwatch.GetTimestamp(); left > 0; left = due - Stopwatch.GetTimestamp())
        {
            _delay.Sleep(TimeSpan.FromSeconds((double)left / Stopwatch.Frequency));
        }
    }
}
