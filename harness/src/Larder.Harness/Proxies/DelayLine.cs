using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Sockets;

namespace Larder.Harness.Proxies;

/// <summary>
/// Holds what is on its way to a socket until it is due; the sender's end, too. A thread sends, because the pool's timers are a millisecond coarse. At most
/// <see cref="MostChunks"/> chunks of 64 KiB lie in it: 64 MiB, what 30 ms at 17 Gbit/s hold; beyond it who adds waits, and TCP holds the sender back.
/// </summary>
internal sealed class DelayLine : IDisposable
{
    private const int MostChunks = 1024;

    private readonly Socket _to;
    private readonly NetworkDelay _delay;
    private readonly ArrivalTimes _arrivals;
    private readonly BlockingCollection<(long Due, byte[] Chunk)> _held = [];
    private readonly SemaphoreSlim _room = new(MostChunks);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Begins to send.</summary>
    public DelayLine(Socket to, NetworkDelay delay)
    {
        (_to, _delay, _arrivals) = (to, delay, new ArrivalTimes(delay, Random.Shared.Next()));
        new Thread(Send) { IsBackground = true, Name = "proxy sends" }.Start();
    }

    /// <summary>Done when the sender's end has been passed on; failed where the receiver is gone.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Puts in what was read just now; nothing is the sender's end.</summary>
    public async Task AddAsync(ReadOnlyMemory<byte> chunk)
    {
        long due = _arrivals.Next(Stopwatch.GetTimestamp());
        // Where the receiver is gone, that is thrown: no room would ever be made.
        await (await Task.WhenAny(Ended, _room.WaitAsync()).ConfigureAwait(false)).ConfigureAwait(false);
        if (!_held.IsAddingCompleted)
        {
            _held.Add((due, chunk.ToArray()));
        }
    }

    /// <summary>Ends it; what is held is lost.</summary>
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
