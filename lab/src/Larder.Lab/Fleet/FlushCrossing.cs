using System.Diagnostics;
using System.Globalization;
using Larder.Client;

namespace Larder.Lab.Fleet;

/// <summary>
/// A caller that uses two gateways while one of them flushes. It alternately writes a number through one gateway and reads it through the other. A read may be
/// a miss, but it must never return a lower number than was written (FLEET-7).
/// </summary>
internal sealed class FlushCrossing(Cache one, Cache two)
{
    private const string Key = "S5j crossing";

    /// <summary>Gets the number of calls.</summary>
    public long Answered { get; private set; }

    /// <summary>Gets the number of calls that failed.</summary>
    public long Failed { get; private set; }

    /// <summary>Gets the number of reads that returned a lower number than was written.</summary>
    public long Older { get; private set; }

    /// <summary>Gets the duration of the longest call.</summary>
    public TimeSpan Longest { get; private set; }

    /// <summary>Makes calls until <paramref name="flush"/> has completed.</summary>
    public async Task RunAsync(Task flush)
    {
        for (long written = 1; !flush.IsCompleted; written++)
        {
            (Cache writer, Cache reader) = written % 2 == 0 ? (one, two) : (two, one);
            string value = written.ToString(CultureInfo.InvariantCulture);
            CacheResult set = await TimedAsync(writer.SetAsync(Key, value)).ConfigureAwait(false);
            LookupResult<CacheValue> get = await TimedAsync(reader.GetAsync(Key)).ConfigureAwait(false);
            Answered += 2;
            Failed += (set is { IsError: true } ? 1 : 0) + (get is { IsError: true } ? 1 : 0);
            Older += set.IsSuccess && get.IsHit && get.Value.Text != value ? 1 : 0;
        }
    }

    private async ValueTask<T> TimedAsync<T>(ValueTask<T> call)
    {
        long began = Stopwatch.GetTimestamp();
        T answer = await call.ConfigureAwait(false);
        TimeSpan took = Stopwatch.GetElapsedTime(began);
        Longest = took > Longest ? took : Longest;
        return answer;
    }
}
