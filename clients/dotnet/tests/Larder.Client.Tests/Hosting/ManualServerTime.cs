using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Hosting;

/// <summary>Contains a method that advances a server's clock.</summary>
internal static class ManualServerTime
{
    /// <summary>
    /// Advances the clock in two steps. If a server's clock jumps by more than a second, the server assumes that it was paused. It then rejects calls for the
    /// next 100 ms of that clock. So the first step lets the server notice the jump, and the second step advances by the last 150 ms. A test must advance by at
    /// most 10 ms, or by at least 2 s.
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
