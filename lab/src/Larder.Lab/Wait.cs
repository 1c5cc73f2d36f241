using System.Diagnostics;
using Larder.Tuner.Processes;

namespace Larder.Lab;

/// <summary>Waits for what other processes are about to make true.</summary>
internal static class Wait
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(20);

    /// <summary>Looks until it is so.</summary>
    /// <exception cref="TunerException">It was not within a minute.</exception>
    public static async Task UntilAsync(Func<Task<bool>> isSo, string what)
    {
        long begun = Stopwatch.GetTimestamp();
        while (!await isSo().ConfigureAwait(false))
        {
            if (Stopwatch.GetElapsedTime(begun) > s_limit)
            {
                throw new TunerException($"not within {s_limit.TotalSeconds:N0} s: {what}");
            }

            await Task.Delay(s_step).ConfigureAwait(false);
        }
    }
}
