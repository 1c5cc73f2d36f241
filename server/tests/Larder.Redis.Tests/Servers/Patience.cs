using System.Diagnostics;

namespace Larder.Redis.Tests;

/// <summary>Waits for what another process does.</summary>
internal static class Patience
{
    /// <summary>The most that anything is waited for: a busy machine takes its time, and what never comes is a failure all the same.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    /// <summary>Looks again until it is so.</summary>
    public static void Until(Func<bool> condition, string what)
    {
        var since = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(since.Elapsed < Limit, $"Not within {Limit.TotalSeconds} s: {what}");
            Thread.Sleep(20);
        }
    }

    /// <inheritdoc cref="Until(Func{bool}, string)"/>
    public static async Task UntilAsync(Func<Task<bool>> condition, string what)
    {
        var since = Stopwatch.StartNew();
        while (!await condition())
        {
            Assert.True(since.Elapsed < Limit, $"Not within {Limit.TotalSeconds} s: {what}");
            await Task.Delay(20);
        }
    }
}
