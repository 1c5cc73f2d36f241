using System.Diagnostics;
using Larder.Tuner.Processes;

namespace Larder.Lab;

/// <summary>Polls until a condition that depends on another process is true.</summary>
internal static class Wait
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(20);

    /// <summary>Polls the condition until it is true.</summary>
    /// <exception cref="TunerException">The condition was not true within a minute.</exception>
    public static async Task UntilAsync(Func<Task<bool>> isSo, string what)
    {
        long begun = Stopwatch.GetTimestamp();
        while (!await isSo().ConfigureAwait(false))
        {
            if (Stopwatch.GetElapsedTime(begun) > s_limit)
            {
                throw new TunerException($"timeout after {s_limit.TotalSeconds:N0} s, waiting for {what}");
            }

            await Task.Delay(s_step).ConfigureAwait(false);
        }
    }
}
