using System.Diagnostics;

namespace Larder.Redis.Tests;

/// <summary>Waits for conditions that depend on other processes.</summary>
internal static class Eventually
{
    /// <summary>
    /// The maximum time to wait. It is long because a busy machine may be slow. If the condition is still false after this time, the test fails.
    /// </summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    /// <summary>Polls until the condition is true.</summary>
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
