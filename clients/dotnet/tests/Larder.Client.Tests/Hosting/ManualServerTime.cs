using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Hosting;

/// <summary>Contains a method that advances a server's clock.</summary>
internal static class ManualServerTime
{
    /// <summary>
    /// Advances a server's clock. If the clock jumps by more than a second, the server assumes that it was paused. It then rejects calls for the next 100 ms of
    /// that clock. Therefore this method advances in two steps. After the first step, a call lets the server notice the jump. The second step is 150 ms, so
    /// that the server accepts calls again. A test must advance by at most 10 ms, or by at least 2 s.
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
