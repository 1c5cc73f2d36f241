using System.Diagnostics;
using System.Text.Json.Nodes;

namespace Larder.Agent;

/// <summary>
/// Measures the duration of sequential near cache hits, in batches of about ten thousand hits. Other work of the process can run between two batches. The time
/// between batches is not measured.
/// </summary>
internal sealed class HitTimes(TimeSpan time)
{
    private const int HitsPerBatch = 10_000;

    // The duration of the warm-up. It is long enough for the JIT compiler's final optimization, which runs in the background after some ten thousand calls.
    private static readonly TimeSpan s_warmup = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// Calls <paramref name="read"/> until the time is over, and returns the measurements. The argument of <paramref name="read"/> is the number of times to
    /// read every key, and its result is the number of bytes that were found.
    /// </summary>
    public async Task<JsonObject> MeasureAsync(int keys, int valueBytes, Func<int, ValueTask<long>> read)
    {
        int rounds = Math.Max(1, HitsPerBatch / keys);
        await RunAsync(s_warmup, rounds, read).ConfigureAwait(false);
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        (long turns, long bytes, TimeSpan taken) = await RunAsync(time, rounds, read).ConfigureAwait(false);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        long reads = turns * rounds * keys;
        return AgentAnswer.Result("success")
            .With("reads", reads)
            .With("found", bytes / valueBytes)
            .With("nsPerHit", taken.TotalNanoseconds / reads)
            .With("bytesPerHit", (double)allocated / reads);
    }

    private static async Task<(long Turns, long Bytes, TimeSpan Taken)> RunAsync(TimeSpan time, int rounds, Func<int, ValueTask<long>> read)
    {
        long begun = Stopwatch.GetTimestamp();
        (long turns, long bytes, long taken) = (0, 0, 0);
        while (Stopwatch.GetElapsedTime(begun) < time)
        {
            long before = Stopwatch.GetTimestamp();
            bytes += await read(rounds).ConfigureAwait(false);
            taken += Stopwatch.GetTimestamp() - before;
            turns++;
            await Task.Yield();
        }

        return (turns, bytes, TimeSpan.FromSeconds((double)taken / Stopwatch.Frequency));
    }
}
