using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Hosting;

/// <summary>Advances a server's clock.</summary>
internal static class ManualServerTime
{
    /// <summary>
    /// Advances the clock in two steps. When a server's clock jumps by more than a second, it assumes that it was paused, and rejects calls for the next 100 ms
    /// of that clock. So this lets the server notice the jump first, and then advances by the last 150 ms. A test advances by at most 10 ms, or by 2 s or more.
    /// </summary>
    public static void Advance(ManualTime time, TimeSpan by, CacheClient client)
    {
        TimeSpan last = TimeSpan.FromMilliseconds(150);
        if (by > last)
        {
            time.Advance(by - last);
            _ = client.Cache("cache").GetAsync("noticed").AsTask().GetAwaiter().GetResult();
            by = last;
        }

        time.Advance(by);
    }
}
