using System.Diagnostics;
using System.Globalization;
using Larder.Client;

namespace Larder.Lab.Fleet;

/// <summary>
/// A caller of two fronts while one of them flushes: it writes a number at one and reads it at the other, in turns, and may find nothing, and never less than
/// it wrote (FLEET-7).
/// </summary>
internal sealed class FlushCrossing(Cache one, Cache two)
{
    private const string Key = "S5j crossing";

    /// <summary>Calls that were made.</summary>
    public long Answered { get; private set; }

    /// <summary>Of them those that failed.</summary>
    public long Failed { get; private set; }

    /// <summary>Of them reads that gave less than was written.</summary>
    public long Older { get; private set; }

    /// <summary>The longest call.</summary>
    public TimeSpan Longest { get; private set; }

    /// <summary>Calls until <paramref name="flush"/> has ended.</summary>
    public async Task RunAsync(Task flush)
    {
        for (long written = 1; !flush.IsCompleted; written++)
        {
            (Cache writer, Cache reader) = written % 2 == 0 ? (one, two) : (two, one);
            string value = written.ToString(CultureInfo.InvariantCulture);
            SetResponse set = await TimedAsync(writer.SetAsync(Key, value)).ConfigureAwait(false);
            GetResponse get = await TimedAsync(reader.GetAsync(Key)).ConfigureAwait(false);
            Answered += 2;
            Failed += (set is SetResponse.Error ? 1 : 0) + (get is GetResponse.Error ? 1 : 0);
            Older += set is SetResponse.Success && get is GetResponse.Hit hit && hit.ValueString != value ? 1 : 0;
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
